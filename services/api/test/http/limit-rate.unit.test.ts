import { expect } from 'chai';
import { METHODS } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import { SECRETS, type TestApp, testApp } from './test-app.js';

const READ = '/workspaces/acme/webhooks';

describe('rate limiting', () => {
  let app: TestApp;
  const started = async (settings: Parameters<typeof testApp>[0]) => {
    app = await testApp(settings);
    return app;
  };
  afterEach(() => app.close());

  const forwarded = (address: string) => ({ headers: { 'x-forwarded-for': address } });

  it('reports the remaining requests in every response', async () => {
    const { send } = await started({ limits: { rest_read: 2 } });
    const first = await send(READ);
    expect(first.headers.get('ratelimit-policy')).to.equal('"rest_read";q=2;w=60');
    expect(first.headers.get('ratelimit')).to.match(/^"rest_read";r=1;t=(60|59)$/);
    expect(first.headers.get('retry-after')).to.equal(null);
    expect((await send('/workspaces/other/webhooks')).headers.get('ratelimit')).to.match(/;r=0;/);
  });

  it('responds with 429 and Retry-After, and runs no operation', async () => {
    const { send, ran } = await started({ limits: { rest_read: 1 } });
    await send(READ);
    const { status, body, headers } = await send(READ);
    expect([status, body.tag]).to.deep.equal([429, 'RateLimited']);
    expect(Number(headers.get('retry-after'))).to.be.within(58, 60);
    expect(headers.get('ratelimit')).to.equal(`"rest_read";r=0;t=${headers.get('retry-after')}`);
    expect(headers.get('content-type')).to.equal('application/problem+json');
    expect(ran).to.have.length(1);
  });

  it('counts reads and writes, and each token, separately', async () => {
    const { send } = await started({ limits: { rest_read: 1, rest_write: 1 } });
    await send(READ);
    expect((await send(`${READ}/whe_1`, { method: 'DELETE' })).status).to.not.equal(429);
    expect((await send(READ, {}, SECRETS.reader)).status).to.equal(200);
    expect((await send(`${READ}/whe_1`, { method: 'DELETE' })).status).to.equal(429);
    expect((await send(READ, { method: 'HEAD' })).status).to.equal(429);
  });

  it('counts tool calls in a separate bucket', async () => {
    const { send } = await started({ limits: { mcp: 1, rest_read: 1 } });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const listTools = () => send('/mcp', { method: 'POST', headers, body });
    expect((await listTools()).headers.get('ratelimit-policy')).to.equal('"mcp";q=1;w=60');
    expect(await listTools()).to.nested.include({ status: 429, 'body.tag': 'RateLimited' });
    expect((await send(READ)).status).to.equal(200);
  });

  it('precedes 401, and counts requests without a valid token by address', async () => {
    const { send } = await started({ limits: { rest_read: 2 } });
    expect((await send(READ, {}, null)).status).to.equal(401);
    const second = await send(READ, {}, SECRETS.expired);
    expect([second.status, second.headers.get('ratelimit')?.slice(0, 15)]).to.deep.equal([
      401,
      '"rest_read";r=0',
    ]);
    for (const secret of [null, SECRETS.revoked, 'prt_guess']) {
      expect((await send(READ, {}, secret)).status).to.equal(429);
    }
    expect((await send(READ)).status).to.equal(200);
  });

  it('limits all tokens of a workspace together', async () => {
    const { send } = await started({ workspaceLimits: { rest_read: 3 } });
    for (const secret of [SECRETS.admin, SECRETS.reader, SECRETS.admin]) {
      expect((await send(READ, {}, secret)).headers.get('ratelimit-policy')).to.equal(
        '"rest_read";q=1000000;w=60',
      );
    }
    const { status, body, headers } = await send(READ, {}, SECRETS.reader);
    expect([status, body.tag, headers.get('ratelimit-policy')]).to.deep.equal([
      429,
      'RateLimited',
      '"rest_read";q=3;w=60',
    ]);
    expect(body.detail).to.include('all tokens of the workspace');
    expect(headers.get('retry-after')).to.match(/^\d+$/);
    expect((await send(`${READ}/whe_1`, { method: 'DELETE' })).status).to.not.equal(429);
  });

  // Regression: one token that continued after its limit used up that of the whole workspace.
  it('does not count requests for the workspace that the limit of their token refuses', async () => {
    const { send } = await started({ limits: { rest_read: 2 }, workspaceLimits: { rest_read: 4 } });
    const statusesOf = async (secret: string, requests: number) => {
      const statuses = [];
      for (let sent = 0; sent < requests; sent += 1) statuses.push((await send(READ, {}, secret)).status);
      return statuses;
    };
    expect(await statusesOf(SECRETS.admin, 6)).to.deep.equal([200, 200, 429, 429, 429, 429]);
    expect(await statusesOf(SECRETS.reader, 2)).to.deep.equal([200, 200]);
  });

  it('stops looking up tokens of an address that sends unknown ones, except those it has seen', async () => {
    const { send, lookups } = await started({ unknownTokens: 2 });
    expect((await send(READ)).status).to.equal(200);
    for (const secret of ['prt_guess1', 'prt_guess2'])
      expect((await send(READ, {}, secret)).status).to.equal(401);
    const before = lookups.count;
    const { status, body, headers } = await send(READ, {}, 'prt_guess3');
    expect([status, body.tag, headers.get('retry-after')]).to.deep.equal([429, 'RateLimited', '60']);
    expect(body.detail).to.include('too many unknown tokens');
    expect((await send('/mcp', { method: 'POST' }, 'prt_guess3')).status).to.equal(429);
    expect(lookups.count).to.equal(before);
    expect((await send(READ)).status).to.equal(200);
  });

  // Regression: the refusal for too many unknown tokens had no headers of the rate limit.
  it('reports the remaining requests of the address in every refusal of a token', async () => {
    const { send } = await started({ unknownTokens: 1, limits: { rest_read: 3 } });
    const guesses = ['prt_guess1', 'prt_guess2', 'prt_guess3', 'prt_guess4'];
    for (const [index, expected] of [
      [401, '"rest_read";r=2;'],
      [429, '"rest_read";r=1;'],
      [429, '"rest_read";r=0;'],
      [429, '"rest_read";r=0;'],
    ].entries()) {
      const { status, headers } = await send(READ, {}, guesses[index]);
      expect([status, headers.get('ratelimit')?.slice(0, 16)], `${index}`).to.deep.equal(expected);
      expect(headers.get('ratelimit-policy'), `${index}`).to.equal('"rest_read";q=3;w=60');
    }
  });

  it('precedes the checks of workspace, permission and body', async () => {
    const { send } = await started({ limits: { rest_write: 1 } });
    const broken = { method: 'POST', body: '{' };
    expect((await send(READ, broken, SECRETS.reader)).status).to.equal(403);
    expect((await send(READ, broken, SECRETS.reader)).status).to.equal(429);
    expect((await send('/workspaces/nowhere/webhooks', broken, SECRETS.reader)).status).to.equal(429);
  });

  it('counts acceptances by address', async () => {
    const { send } = await started({ limits: { rest_write: 1 } });
    const accept = (secret: string | null) =>
      send('/workspaces/acme/invitations/inv_1/accept', { method: 'POST' }, secret);
    expect((await accept(null)).status).to.equal(400);
    expect((await accept(SECRETS.admin)).status).to.equal(429);
  });

  for (const [path, item] of Object.entries(readDocument().paths)) {
    for (const method of METHODS.filter((known) => item[known] !== undefined)) {
      it(`responds with 429 to ${item[method]!.operationId} when its bucket is empty`, async () => {
        const { send } = await started({ limits: { rest_read: 1, rest_write: 1, publish: 1 } });
        const request = () =>
          send(path.replace('{slug}', 'acme').replace(/\{\w+\}/g, 'x'), { method: method.toUpperCase() });
        await request();
        const { status, body } = await request();
        expect([status, body.tag]).to.deep.equal([429, 'RateLimited']);
      });
    }
  }

  it('ignores X-Forwarded-For by default', async () => {
    const { send } = await started({ limits: { rest_read: 1 } });
    await send(READ, forwarded('198.51.100.1'), null);
    expect((await send(READ, forwarded('198.51.100.2'), null)).status).to.equal(429);
  });

  it('trusts X-Forwarded-For of the configured proxies and of no other hop', async () => {
    const { send } = await started({ limits: { rest_read: 1 }, proxies: '127.0.0.0/8' });
    await send(READ, forwarded('198.51.100.1'), null);
    expect((await send(READ, forwarded('198.51.100.2'), null)).status).to.equal(401);
    expect((await send(READ, forwarded('203.0.113.9, 198.51.100.1'), null)).status).to.equal(429);
  });

  it('does not count routes without a bucket, nor anything when the limit is 0', async () => {
    const { send } = await started({ limits: { rest_read: 0 } });
    for (const path of ['/healthz', '/openapi.json', '/nothing', READ]) {
      expect((await send(path)).headers.get('ratelimit'), path).to.equal(null);
    }
  });
});
