import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Client, createClient, PostriderError, verify, Webhook } from '@postrider/client';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { parseCatalogue } from '../src/catalogue/parse-catalogue.js';
import { type ApiWorld, apiWorld } from './api-world.js';

const ROOT = new URL('../../../../', import.meta.url);

/** The types of the example catalogue. */
function exampleTypes() {
  const parsed = parseCatalogue(readFileSync(new URL('docs/event-types.yaml', ROOT), 'utf8'));
  return 'file' in parsed ? parsed.file.map((type) => anEventType(type)) : [];
}

describe('typed client', () => {
  let world: ApiWorld;
  let client: Client;
  before(async () => {
    world = await apiWorld();
    const { secret, origin } = await world.as(['admin']);
    client = createClient({ baseUrl: origin, workspace: 'acme', token: secret });
  });
  after(() => world.destroy());

  const create = (url: string) =>
    client.post('/webhooks', { body: { url, eventTypes: ['billing.plan_changed'] } });

  it('creates, updates, reads and deletes an endpoint', async () => {
    const webhook = await create('https://hooks.example.com/one');
    const params = { path: { endpointId: webhook.id } };
    const body = { description: 'Ours' };
    expect((await client.patch('/webhooks/{endpointId}', { params, body })).description).to.equal('Ours');
    expect(await client.get('/webhooks/{endpointId}', { params })).to.deep.include({ description: 'Ours' });
    expect(await client.delete('/webhooks/{endpointId}', { params })).to.equal(undefined);
    const gone = await client.get('/webhooks/{endpointId}', { params }).catch((error: unknown) => error);
    expect(gone instanceof PostriderError && gone.is('EndpointNotFound')).to.equal(true);
  });

  it('publishes custom events, once for each key', async () => {
    world.catalogue.set([anEventType()]);
    const event = { type: 'invoice.paid', data: { invoiceId: 'in_1', amount: 1 } };
    const first = await client.publish(event, { idempotencyKey: 'one' });
    expect(await client.publish(event, { idempotencyKey: 'one' })).to.deep.equal(first);
    expect((await client.publish(event)).eventId).to.not.equal(first.eventId);
  });

  // Regression: its key had a space, so the api refused each of its events.
  it('runs the example that publishes', async () => {
    world.catalogue.set(exampleTypes());
    const { secret, origin } = await world.as(['write']);
    Object.assign(process.env, { POSTRIDER_URL: origin, POSTRIDER_TOKEN: secret });
    const { invoicePaid } = await import(new URL('client/dist/examples/publish.js', ROOT).href).finally(
      () => {
        delete process.env.POSTRIDER_URL;
        delete process.env.POSTRIDER_TOKEN;
      },
    );
    const eventId = await invoicePaid('in_2', 4_200);
    expect(eventId).to.match(/^evt_/);
    expect(await invoicePaid('in_2', 4_200)).to.equal(eventId);
  });

  it('generates types of custom events from the document that the api serves', async () => {
    world.catalogue.set(exampleTypes());
    const directory = mkdtempSync(join(tmpdir(), 'client-'));
    try {
      const out = join(directory, 'custom-events.ts');
      const program = new URL('client/dist/src/generate/main.js', ROOT).pathname;
      const { origin } = await world.as(['read']);
      const args = [program, 'generate', '--from', `${origin}/openapi.json`, '--out', out];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      expect(stdout).to.equal(`${out}: invoice.paid, order.shipped, user.profile.updated\n`);
      const example = new URL('client/examples/custom-events.ts', ROOT);
      expect(readFileSync(out, 'utf8')).to.equal(readFileSync(example, 'utf8'));
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it('throws all invalid inputs', async () => {
    const error = await client
      .post('/webhooks', { body: { url: 'https://x.example.com', eventTypes: [] } })
      .then(
        () => expect.fail('it was accepted'),
        (refusal: PostriderError) => refusal,
      );
    expect(error).to.deep.include({ tag: 'InvalidRequest', status: 400 });
    expect(error.errors.map(({ path }) => path)).to.deep.equal(['eventTypes']);
    expect(error.traceId).to.match(/^[0-9a-f]{32}$/);
  });

  it('creates one token when the first response is lost', async () => {
    const { secret, origin } = await world.as(['admin']);
    let lost = 0;
    const lossy = createClient({
      baseUrl: origin,
      workspace: 'acme',
      token: secret,
      retry: { sleep: async () => {} },
      async fetch(request) {
        const response = await fetch(request);
        if (lost > 0) return response;
        lost += 1;
        throw new TypeError('the response was lost');
      },
    });
    const { name } = await lossy.post('/api-tokens', { body: { name: 'once', scopes: ['read'] } });
    expect([name, lost]).to.deep.equal(['once', 1]);
    const tokens = await client.get('/api-tokens');
    expect(tokens.items.filter((token) => token.name === 'once')).to.have.length(1);
  });

  it('reads all pages of a list', async () => {
    const created: string[] = [];
    for (const place of ['a', 'b', 'c', 'd', 'e'])
      created.push((await create(`https://${place}.example.com`)).id);
    const read: string[] = [];
    for await (const { id } of client.paginate('/webhooks', { params: { query: { limit: 2 } } }))
      read.push(id);
    expect(read).to.include.members(created).and.to.have.length(new Set(read).size);
  });

  it('verifies deliveries with the secret that a rotation returned', async () => {
    const { id } = await create('https://hooks.example.com/two');
    const path = '/webhooks/{endpointId}/rotate-secret';
    const key = await client.post(path, { params: { path: { endpointId: id } } });
    const secret = 'secret' in key ? key.secret : '';
    const at = new Date();
    const body = '{"eventType":"webhook.test_event"}';
    const headers = {
      'webhook-id': 'whd_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('whd_1', at, body),
    };
    expect(verify({ secret, headers, body }).eventType).to.equal('webhook.test_event');
  });
});
