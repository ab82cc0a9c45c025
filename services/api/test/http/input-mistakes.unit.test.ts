import { expect } from 'chai';
import type { Problem } from '../../src/contract/problem.js';
import { serveApp } from '../mcp/serve-app.js';

const CREATE = { method: 'POST', path: '/workspaces/acme/webhooks', tool: 'create_webhook' };
const TOKEN = { method: 'POST', path: '/workspaces/acme/api-tokens', tool: 'create_api_token' };
const LINK = { method: 'POST', path: '/workspaces/acme/portal-links', tool: 'create_portal_link' };
const REPLAY = { method: 'POST', path: '/workspaces/acme/webhooks/replay-jobs', tool: 'create_replay_job' };
const UPDATE = { method: 'PATCH', path: '/workspaces/acme/webhooks/whe_1', tool: 'update_webhook' };

// Regression: rules about URLs, event types, scopes and times were checked only once the schema had found nothing.
describe('the mistakes in an input', () => {
  const served = serveApp();

  /** @returns the problems of the REST API and of the tool */
  const problemsOf = async ({ method, path, tool }: typeof CREATE, input: object): Promise<Problem[]> => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await served.app.send(path, { method, headers, body: JSON.stringify(input) });
    expect(status).to.equal(400);
    const ids = tool === UPDATE.tool ? { endpointId: 'whe_1' } : {};
    return [body, await served.admin.refused(tool, { ...ids, ...input })];
  };

  for (const operation of [CREATE, UPDATE])
    for (const [name, input, tag, paths] of [
      [
        'a forbidden URL, an empty list and an unknown field',
        { url: 'https://10.0.0.1/x', eventTypes: [], colour: 1 },
        'InvalidWebhookUrl',
        ['url', 'eventTypes', 'colour'],
      ],
      [
        'a forbidden URL, an unknown type and an option with a mistake',
        { url: 'https://localhost/x', eventTypes: ['*', 'no.such'], filter: { plan: [] } },
        'InvalidWebhookUrl',
        ['url', 'eventTypes[1]', 'filter.plan'],
      ],
      [
        'an unknown type, one that is no type, and a long description',
        { url: 'https://hooks.example.com', eventTypes: ['no.such', 'NO'], description: 'x'.repeat(501) },
        'InvalidRequest',
        ['description', 'eventTypes[0]', 'eventTypes[1]'],
      ],
      [
        'parts of the wrong type',
        { url: 5, eventTypes: ['no.such', 7, null] },
        'InvalidRequest',
        ['url', 'eventTypes[0]', 'eventTypes[1]', 'eventTypes[2]'],
      ],
      [
        'a URL with a NUL',
        { url: 'https://hooks.example.com/\0', eventTypes: ['*'] },
        'InvalidWebhookUrl',
        ['url'],
      ],
      [
        'a URL with a lone surrogate',
        { url: 'https://hooks.example.com/\ud800', eventTypes: ['*'] },
        'InvalidWebhookUrl',
        ['url'],
      ],
      ['no list of types', { url: 'nonsense', eventTypes: 'x' }, 'InvalidWebhookUrl', ['url', 'eventTypes']],
    ] as const)
      it(`of ${operation.tool} are reported together: ${name}`, async () => {
        for (const problem of await problemsOf(operation, input)) {
          expect(problem.tag).to.equal(tag);
          expect(problem.errors?.map(({ path }) => path)).to.have.members(paths);
          for (const { path, message } of problem.errors ?? []) {
            expect(problem.detail).to.include(message);
            expect(Object.keys(problem.errors?.[0] ?? {}), path).to.deep.equal(['path', 'message']);
          }
        }
        expect(served.app.ran).to.deep.equal([]);
      });

  for (const [operation, input, tag, paths] of [
    [
      TOKEN,
      { name: '', scopes: ['bogus', 'read', 7], expiresAt: '2001-01-01T00:00:00Z' },
      'InvalidScope',
      ['scopes[0]', 'scopes[2]', 'name', 'expiresAt'],
    ],
    [TOKEN, { name: '', scopes: ['read'], expiresAt: 'soon' }, 'InvalidRequest', ['name', 'expiresAt']],
    [LINK, { scopes: ['bogus'], expiresIn: 1 }, 'InvalidScope', ['scopes[0]', 'expiresIn']],
    [
      REPLAY,
      {
        eventTypes: ['no.such', 7],
        createdAfter: '2026-01-02T00:00:00Z',
        createdBefore: '2026-01-01T00:00:00Z',
        ratePerSecond: 0,
      },
      'InvalidRequest',
      ['eventTypes[0]', 'eventTypes[1]', 'createdBefore', 'ratePerSecond'],
    ],
    [
      REPLAY,
      { createdAfter: '2099-01-01T00:00:00Z', colour: 1 },
      'InvalidRequest',
      ['createdAfter', 'colour'],
    ],
    [REPLAY, { createdAfter: 'then', createdBefore: 5 }, 'InvalidRequest', ['createdAfter', 'createdBefore']],
  ] as const)
    it(`of ${operation.tool} are reported together: ${paths.join(', ')}`, async () => {
      for (const problem of await problemsOf(operation, input)) {
        expect(problem.tag).to.equal(tag);
        expect(problem.errors?.map(({ path }) => path)).to.have.members(paths);
      }
    });

  it('that depend on the time alone are left to the operation: the request may be a repeated one', async () => {
    const input = { name: 'ci', scopes: ['read'], expiresAt: '2001-01-01T00:00:00Z' };
    const headers = { 'content-type': 'application/json' };
    const { status } = await served.app.send(TOKEN.path, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
    });
    expect([status, served.app.ran.length]).to.deep.equal([201, 1]);
  });

  it('name the URL first, also with more others than a response has', async () => {
    const others = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`field${n}`, n]));
    for (const { tag, detail, errors } of await problemsOf(CREATE, { ...others, url: 'https://10.0.0.1' })) {
      expect([tag, errors?.length, errors?.[0]?.path]).to.deep.equal(['InvalidWebhookUrl', 50, 'url']);
      expect(detail).to.match(/^The webhook URL must not point to an address that is not public; /);
    }
  });
});
