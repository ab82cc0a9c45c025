import { connect, type Socket } from 'node:net';
import { createMetrics } from '@postrider/shared/metrics/metrics';
import { sleep } from '@postrider/shared/runtime/sleep';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';
import { createByteBudget } from '../../src/http/byte-budget.js';
import { createMeteredBudget } from '../../src/http/request-metrics.js';
import { SECRETS, type TestApp, testApp } from './test-app.js';

const KIB = 1_024;
const BODY = JSON.stringify({ url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] });

describe('byte budget', () => {
  const refuses = (reserve: () => unknown, whose: string) =>
    expect(reserve).to.throw(Refusal, whose).with.property('tag', 'Unavailable');

  const of = (workspaceId: string) => ({ workspaceId });

  it('gives one workspace a quarter', () => {
    const budget = createByteBudget(512);
    const release = budget.reserve(of('one'), 128);
    refuses(() => budget.reserve(of('one'), 1), "that share this request's limit");
    release();
    budget.reserve(of('one'), 100);
    budget.reserve(of('one'), 28);
  });

  // Regression: four workspaces took all.
  it('leaves the last quarter to workspaces that use little', () => {
    const budget = createByteBudget(512);
    for (const workspace of ['one', 'two', 'three']) budget.reserve(of(workspace), 128);
    refuses(() => budget.reserve(of('four'), 3), 'of all callers');
    for (let number = 0; number < 64; number += 1) budget.reserve(of(`little ${number}`), 2);
    expect(budget.reserved()).to.equal(512);
    refuses(() => budget.reserve(of('one more'), 1), 'of all callers');
  });

  it('gives each of several workspaces less, so that there is room for another one', () => {
    const budget = createByteBudget(512);
    /** Reserves until there is no more room. @returns the bytes */
    const fill = (workspace: string) => {
      for (let bytes = 0; ; bytes += 4)
        try {
          budget.reserve(of(workspace), 4);
        } catch {
          return bytes;
        }
    };
    expect(['one', 'two', 'three', 'four', 'five'].map(fill)).to.deep.equal([128, 128, 64, 32, 16]);
  });

  it('has a part for clients without a workspace, with a share for each and a reserve', () => {
    const budget = createByteBudget(16 * 512);
    budget.reserve(of('one'), 2_048);
    for (const client of ['one', 'two', 'three']) {
      budget.reserve({ client }, 128);
      refuses(() => budget.reserve({ client }, 1), "that share this request's limit");
    }
    refuses(() => budget.reserve({ client: 'four' }, 3), 'of all callers');
    const release = budget.reserve({ client: 'four' }, 2);
    expect(budget.reserved()).to.equal(2_048 + 3 * 128 + 2);
    release();
    for (const workspace of ['two', 'three']) budget.reserve(of(workspace), 2_048);
    budget.reserve({ client: 'four' }, 2);
  });

  it('counts what must not be refused, and has less room for others meanwhile', () => {
    const budget = createByteBudget(400);
    const releases = [100, 500].map((bytes) => budget.count(of('one'), bytes));
    expect(budget.reserved()).to.equal(600);
    refuses(() => budget.reserve(of('two'), 1), 'of all callers');
    releases[1]?.();
    refuses(() => budget.reserve(of('one'), 1), "that share this request's limit");
    releases[0]?.();
    expect(budget.reserved()).to.equal(0);
    budget.reserve(of('one'), 100);
  });

  it('reports what is reserved and counts what is refused', async () => {
    const metrics = createMetrics('api', '1');
    const bodies = createMeteredBudget(metrics, 'bodies', 400);
    const release = bodies.reserve(of('one'), 100);
    refuses(() => bodies.reserve(of('one'), 1), "that share this request's limit");
    expect(await metrics.text()).to.include('postrider_request_body_bytes 100\n');
    release();
    const text = await metrics.text();
    expect(text).to.include('postrider_request_body_bytes 0\n');
    expect(text).to.include('postrider_request_bodies_refused_total 1\n');
  });
});

describe('request bodies that are being read', () => {
  let app: TestApp;
  const opened: Socket[] = [];
  before(async () => {
    // A workspace has 64 KiB. Requests without one have 16 KiB together, and 4 KiB for each client.
    app = await testApp({ bodyBytes: 256 * KIB, proxies: '1' });
  });
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
    app.reset();
  });
  after(() => app?.close());

  /** Sends a request with a body that never ends. */
  function stall(
    headers: Readonly<Record<string, string>>,
    part: string,
    path = '/workspaces/acme/webhooks',
  ): Promise<Socket> {
    const { port } = new URL(app.origin);
    const socket = connect(Number(port), '127.0.0.1');
    opened.push(socket);
    const lines = Object.entries({
      host: 'test',
      authorization: `Bearer ${SECRETS.admin}`,
      'content-type': 'application/json',
      ...headers,
    }).map(([name, value]) => `${name}: ${value}`);
    const head = [`POST ${path} HTTP/1.1`, ...lines, '', part].join('\r\n');
    return new Promise((resolve) => socket.write(head, () => resolve(socket)));
  }
  const create = (body = BODY) =>
    app.send('/workspaces/acme/webhooks', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });

  const ACCEPT = '/workspaces/acme/invitations/inv_1/accept';
  const accept = (body = '{}', address = '203.0.113.1') => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    return app.send(ACCEPT, { method: 'POST', body, headers }, null);
  };

  for (const [name, headers, part] of [
    ['announced', { 'content-length': `${64 * KIB}` }, '{'],
    ['unknown', { 'transfer-encoding': 'chunked' }, '1\r\n{\r\n'],
  ] as const)
    it(`leave no room for others of their workspace while their length is ${name}`, async () => {
      const socket = await stall(headers, part);
      await eventually(async () => {
        const { status, body, headers } = await create();
        expect([status, body.tag, headers.get('retry-after')]).to.deep.equal([503, 'Unavailable', '5']);
      });
      // It has no workspace before its body is read.
      expect((await accept()).body.tag).to.equal('InvalidRequest');
      socket.destroy();
      await eventually(async () => expect((await create()).status).to.equal(201));
    });

  /** Fills the shares of so many clients without a token. */
  const fillShares = (clients: number) =>
    Promise.all(
      Array.from({ length: clients }, (_, n) =>
        stall({ 'content-length': `${4 * KIB}`, 'x-forwarded-for': `198.51.100.${n}` }, '{', ACCEPT),
      ),
    );

  // Regression: each address had a share of what all callers have.
  it('leave room for callers with a token, from however many addresses they come without one', async () => {
    const sockets = await fillShares(5);
    await eventually(() => expect(app.reservedBodyBytes()).to.equal(12 * KIB));
    expect((await create()).status).to.equal(201);
    for (const socket of sockets) socket.destroy();
    await eventually(() => expect(app.reservedBodyBytes()).to.equal(0));
  });

  // Regression: all callers without a token had one share, so one of them could take it.
  it('leave room for others without a token, also if a few take their whole shares', async () => {
    await fillShares(1);
    await eventually(() => expect(app.reservedBodyBytes()).to.equal(4 * KIB));
    const large = `{}${' '.repeat(3 * KIB)}`;
    expect((await accept(large)).body.tag).to.equal('InvalidRequest');
    expect((await accept('{}', '198.51.100.0')).body.tag).to.equal('Unavailable');
    await fillShares(3);
    await eventually(() => expect(app.reservedBodyBytes()).to.equal(12 * KIB));
    expect((await accept(large)).body.tag).to.equal('Unavailable');
    expect((await accept()).body.tag).to.equal('InvalidRequest');
  });

  // Regression: they kept their room until the process ended.
  for (const [name, headers, part] of [
    ['an incomplete body', { 'content-length': `${64 * KIB}` }, '{'],
    ['a complete body', { 'content-length': '2' }, '{}'],
    ['a body of unknown length', { 'transfer-encoding': 'chunked' }, ''],
  ] as const)
    it(`take no room when the client disconnects while its token is looked up, with ${name}`, async () => {
      const release = app.holdLookups();
      const { count } = app.lookups;
      const sockets = await Promise.all(Array.from({ length: 5 }, () => stall(headers, part)));
      await eventually(() => expect(app.lookups.count).to.be.above(count));
      for (const socket of sockets) socket.resetAndDestroy();
      await sleep(50);
      release();
      await sleep(50);
      expect(app.reservedBodyBytes()).to.equal(0);
      expect((await create()).status).to.equal(201);
    });

  it('leave room again once their requests have ended', async () => {
    const large = `${' '.repeat(60 * KIB)}${BODY}`;
    for (let requests = 0; requests < 6; requests += 1) expect((await create(large)).status).to.equal(201);
  });

  it('take the memory of the values in them until their requests have ended', async () => {
    const parts = JSON.stringify({ url: 'https://hooks.example.com/x', eventTypes: Array(1_500).fill({}) });
    const { status, body } = await create(parts);
    expect([status, body.tag]).to.deep.equal([503, 'Unavailable']);
    await eventually(() => expect(app.reservedBodyBytes()).to.equal(0));
    expect((await create()).status).to.equal(201);
  });

  // Regression: until the request ended, a body of unknown length took as much room as the largest one.
  it('may arrive in chunks of one byte, and take only the room of their size once they are read', async () => {
    const socket = await stall({ 'transfer-encoding': 'chunked' }, '');
    const answer = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    for (const byte of BODY) socket.write(`1\r\n${byte}\r\n`);
    socket.write('0\r\n\r\n');
    expect(await answer).to.include(' 201 ');
    expect(app.ran).to.have.length(1);
  });
});
