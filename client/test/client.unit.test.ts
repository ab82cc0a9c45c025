import { expect } from 'chai';
import { fetchThrough } from '../examples/fetch-through.js';
import { replayMissed } from '../examples/replay.js';
import {
  type Client,
  createClient,
  getSession,
  InvalidToken,
  PostriderError,
  UnexpectedAnswer,
} from '../src/index.js';
import { refusal, startTestServer, type TestServer } from './test-server.js';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const EMPTY = { status: 200, body: { items: [], nextCursor: null } };

describe('client', () => {
  let server: TestServer;
  let waits: number[];
  let client: Client;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());
  beforeEach(() => {
    waits = [];
    let keys = 0;
    client = createClient({
      baseUrl: `${server.url}/`,
      workspace: 'acme',
      token: 'prt_x',
      newIdempotencyKey: () => {
        keys += 1;
        return `key-${keys}`;
      },
      retry: { sleep: async (ms) => void waits.push(ms), now: () => NOW },
    });
  });

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => expect.fail('it succeeded'),
      (error: unknown) => error,
    );
  const create = () =>
    client.post('/webhooks', {
      body: { url: 'https://x.example.com', eventTypes: ['billing.plan_changed'] },
    });

  it('sends requests to its workspace with its token and the parameters', async () => {
    server.script(EMPTY);
    await client.get('/webhooks/{endpointId}/deliveries', {
      params: { path: { endpointId: 'whe_1/2' }, query: { status: 'failed', limit: 3 } },
    });
    const [request] = server.requests;
    expect(request!.url).to.equal('/workspaces/acme/webhooks/whe_1%2F2/deliveries?status=failed&limit=3');
    expect(request!.headers.authorization).to.equal('Bearer prt_x');
    expect(request!.headers['idempotency-key']).to.equal(undefined);
  });

  // Regression: browsers lack crypto.randomUUID on pages that were loaded over plain HTTP, so every POST failed there.
  it('sends each POST with a key of its own, also without crypto.randomUUID', async () => {
    const withDefaults = createClient({ baseUrl: server.url, workspace: 'acme' });
    server.script({ status: 200, body: {} });
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
    try {
      for (let n = 0; n < 2; n++)
        await withDefaults.post('/webhooks/{endpointId}/test-event', {
          params: { path: { endpointId: 'whe_1' } },
        });
    } finally {
      Reflect.deleteProperty(crypto, 'randomUUID');
    }
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).to.equal(2);
    for (const key of keys) expect(key).to.match(/^[0-9a-f]{32}$/);
  });

  it('rejects an id that would change the path, without a request', async () => {
    server.script(EMPTY);
    for (const endpointId of ['', '.', '..']) {
      expect(await failure(client.get('/webhooks/{endpointId}', { params: { path: { endpointId } } })))
        .to.be.instanceOf(TypeError)
        .with.property('message', `endpointId cannot be "${endpointId}"`);
    }
    expect(server.requests).to.be.empty;
  });

  // Regression: the error of `fetch` quoted the token.
  it('rejects a token that no header can have, without a request and without quoting it', async () => {
    server.script(EMPTY);
    for (const token of ['\u201cprt_x\u201d', 'prt_x\nprt_y', 'prt_x\ufeff']) {
      const options = { baseUrl: server.url, workspace: 'acme', token };
      const quoted = createClient(options);
      for (const call of [
        () => quoted.get('/webhooks'),
        () => quoted.stream().next(),
        () => quoted.stream({}, { firstFailure: 'retry' }).next(),
        () => getSession(options),
      ]) {
        const error = (await failure(call())) as Error;
        expect(error).to.be.instanceOf(InvalidToken);
        expect(`${error.stack} ${error.cause}`).not.to.include('prt_');
      }
    }
    expect(server.requests).to.be.empty;
    const spaced = createClient({ baseUrl: server.url, workspace: 'acme', token: 'prt_x\n' });
    await spaced.get('/webhooks');
    expect(server.requests[0]!.headers.authorization).to.equal('Bearer prt_x');
  });

  it('returns the body of a successful response, or undefined without one', async () => {
    server.script({ status: 200, body: { plan: 'team' } });
    expect(await client.put('/billing/plan', { body: { plan: 'team' } })).to.deep.equal({ plan: 'team' });
    expect(server.requests[0]!.body).to.equal('{"plan":"team"}');
    server.script({ status: 204 });
    const params = { path: { endpointId: 'whe_1' } };
    expect(await client.delete('/webhooks/{endpointId}', { params })).to.equal(undefined);
  });

  describe('errors', () => {
    it('throws a PostriderError with tag, detail, errors and trace id', async () => {
      const errors = [{ path: 'url', message: 'is missing' }];
      server.script(refusal(400, 'InvalidRequest', { errors }));
      const error = (await failure(create())) as PostriderError;
      expect(error).to.be.instanceOf(PostriderError);
      expect(error).to.include({
        tag: 'InvalidRequest',
        status: 400,
        detail: 'Because.',
        traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      });
      expect(error.errors).to.deep.equal(errors);
      expect([error.is('InvalidRequest', 'Forbidden'), error.is('Forbidden')]).to.deep.equal([true, false]);
      expect(server.requests).to.have.length(1);
    });

    it('throws UnexpectedAnswer for a response that is not from Postrider', async () => {
      server.script({ status: 500, body: '<html>', headers: { 'content-type': 'text/html' } });
      const error = await failure(client.get('/webhooks'));
      expect(error).to.be.instanceOf(UnexpectedAnswer).and.to.include({ status: 500 });
      expect(server.requests).to.have.length(1);
    });

    it('throws UnexpectedAnswer for a success that is not from Postrider', async () => {
      const page = { status: 200, body: '<html>', headers: { 'content-type': 'text/html' } };
      const stream = () => client.stream().next();
      const session = () => getSession({ baseUrl: server.url, token: 'prt_x' });
      for (const call of [() => client.get('/webhooks'), create, stream, session]) {
        server.script(page);
        const error = await failure(call());
        expect(error).to.be.instanceOf(UnexpectedAnswer).and.to.include({ status: 200, body: '"<html>"' });
        expect(server.requests).to.have.length(1);
      }
      for (const body of [{ status: 'ok' }, null, []]) {
        server.script({ status: 200, body });
        expect(await failure(session()), JSON.stringify(body)).to.be.instanceOf(UnexpectedAnswer);
      }
    });
  });

  // Regression: a POST that a load balancer redirected to https became a GET of the list, whose page was returned as if it were
  // the new endpoint. A redirect to another origin loses the token, so the api answered 401.
  it('follows no redirect, and names where it leads', async () => {
    const stream = () => client.stream().next();
    const session = () => getSession({ baseUrl: server.url, token: 'prt_x' });
    for (const call of [() => client.get('/webhooks'), create, stream, session]) {
      server.script({ status: 301, headers: { location: '/elsewhere' } }, EMPTY);
      const error = await failure(call());
      expect(error)
        .to.be.instanceOf(UnexpectedAnswer)
        .and.to.include({
          status: 301,
          location: `${server.url}/elsewhere`,
          message: `unexpected answer with status 301, a redirect to ${server.url}/elsewhere`,
        });
      expect(server.requests).to.have.length(1);
    }
  });

  describe('a server that does not answer', () => {
    const impatient = () =>
      createClient({
        baseUrl: server.url,
        workspace: 'acme',
        timeoutMs: 200,
        retry: { times: 1, sleep: async () => {} },
      });

    it('is given up after the timeout, and asked again where this is safe', async () => {
      server.script('silence', EMPTY);
      expect(await impatient().get('/webhooks')).to.deep.equal(EMPTY.body);
      server.script('silence', EMPTY);
      const params = { path: { endpointId: 'whe_1' } };
      const error = await failure(impatient().patch('/webhooks/{endpointId}', { params, body: {} }));
      expect(error).to.include({ name: 'TimeoutError', message: 'no response within 200 ms' });
      expect(server.requests).to.have.length(1);
    });

    // Regression: nothing limited the time of a response that had begun, and one that broke off was not asked for again.
    it('is given up in the middle of a response, too', async () => {
      for (const failing of ['stall', 'break'] as const) {
        server.script(failing, EMPTY);
        expect(await impatient().get('/webhooks'), failing).to.deep.equal(EMPTY.body);
        server.script(failing, EMPTY);
        expect(await failure(impatient().put('/billing/plan', { body: { plan: 'team' } }))).to.include({
          name: failing === 'stall' ? 'TimeoutError' : 'TypeError',
        });
        expect(server.requests).to.have.length(1);
      }
    });

    it('is given up in time by getSession and by a stream that begins', async () => {
      server.script('silence');
      const session = getSession({
        baseUrl: server.url,
        token: 'prt_x',
        timeoutMs: 200,
        retry: { times: 0 },
      });
      expect(await failure(session)).to.have.property('name', 'TimeoutError');
      expect(await failure(impatient().stream().next())).to.have.property('name', 'TimeoutError');
    });

    it('does not delay what the caller aborts', async () => {
      for (const failing of ['silence', 'stall'] as const) {
        server.script(failing);
        const signal = AbortSignal.timeout(20);
        expect(await failure(client.get('/webhooks', { signal }))).to.equal(signal.reason);
        expect(server.requests).to.have.length(1);
      }
    });
  });

  it('getSession sends with a fetch of your own', async () => {
    const sent: string[] = [];
    server.script({ status: 200, body: { workspace: { slug: 'acme' } } });
    await getSession({
      baseUrl: server.url,
      token: 'prt_x',
      fetch: (request) => {
        sent.push(request.url);
        return fetch(request);
      },
    });
    expect(sent).to.deep.equal([`${server.url}/session`]);
  });

  // Regression: it was sent once, so each command ended when the api was restarted.
  it('getSession retries as calls do', async () => {
    const limited = { ...refusal(429, 'RateLimited'), headers: { 'retry-after': '7' } };
    server.script('disconnect', limited, { status: 200, body: { workspace: { slug: 'acme' } } });
    const retry = { sleep: async (ms: number) => void waits.push(ms) };
    const session = await getSession({ baseUrl: server.url, token: 'prt_x', retry });
    expect(session.workspace.slug).to.equal('acme');
    expect(waits).to.deep.equal([500, 7_000]);
  });

  it('sends through a forward proxy with the fetch of the example', async () => {
    const behindProxy = createClient({
      baseUrl: 'http://api.example.com',
      workspace: 'acme',
      fetch: fetchThrough(server.url),
    });
    server.script(EMPTY);
    expect(await behindProxy.get('/webhooks')).to.deep.equal(EMPTY.body);
    const plan = { plan: 'team' } as const;
    await behindProxy.put('/billing/plan', { body: plan });
    const sent = server.requests.map(({ method, url, body }) => [method, url, body]);
    expect(sent).to.deep.equal([
      ['GET', 'http://api.example.com/workspaces/acme/webhooks', ''],
      ['PUT', 'http://api.example.com/workspaces/acme/billing/plan', JSON.stringify(plan)],
    ]);
    expect(server.requests[1]!.headers['content-type']).to.equal('application/json');
  });

  describe('retries', () => {
    for (const [status, tag] of [
      [429, 'RateLimited'],
      [503, 'Unavailable'],
    ] as const) {
      it(`repeats the same request after the Retry-After of a ${status}`, async () => {
        const later = { ...refusal(status, tag), headers: { 'retry-after': '7' } };
        server.script(later, later, { status: 201, body: { id: 'whe_1' } });
        expect(await create()).to.deep.equal({ id: 'whe_1' });
        expect(waits).to.deep.equal([7_000, 7_000]);
        expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key']))).to.deep.equal(
          new Set(['key-1']),
        );
        expect(new Set(server.requests.map(({ body }) => body))).to.have.property('size', 1);
      });
    }

    it('accepts a date in Retry-After, including one in the past', async () => {
      const at = (ms: number) => ({
        ...refusal(503, 'Unavailable'),
        headers: { 'retry-after': new Date(NOW + ms).toUTCString() },
      });
      server.script(at(3_000), at(-3_000), EMPTY);
      await client.get('/webhooks');
      expect(waits).to.deep.equal([3_000, 0]);
    });

    it('doubles its waits without Retry-After, and gives up after four retries', async () => {
      server.script(refusal(503, 'Unavailable'));
      const error = await failure(client.get('/webhooks'));
      expect(error).to.be.instanceOf(PostriderError).and.to.include({ tag: 'Unavailable' });
      expect(waits).to.deep.equal([500, 1_000, 2_000, 4_000]);
      expect(server.requests).to.have.length(5);
    });

    // Regression: without a number, retries did not end.
    it('takes an option that is undefined for one that is not given', async () => {
      server.script(refusal(503, 'Unavailable'));
      const options = { times: undefined, longestWaitMs: undefined, now: undefined } as object;
      const undecided = createClient({
        baseUrl: server.url,
        workspace: 'acme',
        retry: { ...options, sleep: async (ms) => void waits.push(ms) },
      });
      expect(await failure(undecided.get('/webhooks'))).to.include({ tag: 'Unavailable' });
      expect(waits).to.have.length(4);
    });

    it('repeats what is not idempotent after 429, and not after 503: it may have taken effect', async () => {
      const params = { path: { endpointId: 'whe_1' } };
      const calls = [
        () => client.patch('/webhooks/{endpointId}', { params, body: {} }),
        () => client.delete('/webhooks/{endpointId}', { params }),
        () => client.put('/billing/plan', { body: { plan: 'team' } }),
      ];
      for (const call of calls) {
        server.script(refusal(503, 'Unavailable'), { status: 200, body: {} });
        expect(await failure(call())).to.include({ tag: 'Unavailable' });
        expect(server.requests).to.have.length(1);
        server.script(refusal(429, 'RateLimited'), { status: 200, body: {} });
        await call();
        expect(server.requests).to.have.length(2);
      }
    });

    // Regression: only 503 was repeated.
    it('repeats what a proxy answers with 502, 503 or 504, unless it is not idempotent', async () => {
      const headers = { 'content-type': 'text/html' };
      const params = { path: { endpointId: 'whe_1' } };
      for (const status of [502, 503, 504]) {
        const page = { status, body: '<html>', headers };
        server.script(page, EMPTY);
        await client.get('/webhooks');
        server.script(page, { status: 201, body: { id: 'whe_1' } });
        await create();
        server.script(page, EMPTY);
        expect(await failure(client.delete('/webhooks/{endpointId}', { params }))).to.include({ status });
      }
      expect(waits).to.deep.equal(Array(6).fill(500));
    });

    // Regression: each command that follows a stream waited for 7.5 s before it reported this.
    it('does not repeat what is refused because streams are disabled', async () => {
      server.script(refusal(503, 'StreamsDisabled'));
      expect(await failure(client.stream().next())).to.include({
        tag: 'StreamsDisabled',
        detail: 'Because.',
      });
      expect(server.requests).to.have.length(1);
    });

    it('does not retry when Retry-After exceeds the longest wait', async () => {
      server.script({ ...refusal(429, 'RateLimited'), headers: { 'retry-after': '61' } });
      expect(await failure(client.get('/webhooks'))).to.include({ tag: 'RateLimited' });
      expect(waits).to.deep.equal([]);
    });
  });

  describe('retries of an idempotency key in use', () => {
    const inUse = refusal(409, 'IdempotencyKeyInUse');
    /** How long the api keeps the key of a process that was killed. */
    const CLAIM_MS = 30_000;

    it('repeat the same request until the key is free', async () => {
      server.script('disconnect', inUse, inUse, { status: 201, body: { id: 'whe_1' } });
      expect(await create()).to.deep.equal({ id: 'whe_1' });
      expect(waits).to.deep.equal([500, 5_000, 10_000]);
      expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key']))).to.deep.equal(
        new Set(['key-1']),
      );
    });

    it('end after four, which together wait longer than the key of a killed process is kept', async () => {
      server.script('disconnect', inUse);
      expect(await failure(create())).to.include({ tag: 'IdempotencyKeyInUse', detail: 'Because.' });
      expect(server.requests).to.have.length(5);
      expect(waits.reduce((sum, ms) => sum + ms)).to.be.greaterThan(CLAIM_MS);
    });

    it('do not repeat what is refused with another 409', async () => {
      server.script(refusal(409, 'EndpointDisabled'));
      expect(await failure(create())).to.include({ tag: 'EndpointDisabled', detail: 'Because.' });
      server.script({ status: 409, body: '<html>', headers: { 'content-type': 'text/html' } });
      expect(await failure(create()))
        .to.be.instanceOf(UnexpectedAnswer)
        .and.to.include({ status: 409 });
      expect(waits).to.deep.equal([]);
    });
  });

  describe('retries without a response', () => {
    it('repeats a request with an idempotency key', async () => {
      server.script('disconnect', { status: 201, body: { id: 'whe_1' } });
      await create();
      expect(server.requests.map(({ headers }) => headers['idempotency-key'])).to.deep.equal([
        'key-1',
        'key-1',
      ]);
    });

    it('does not repeat a PATCH', async () => {
      server.script('disconnect');
      await failure(
        client.patch('/webhooks/{endpointId}', { params: { path: { endpointId: 'whe_1' } }, body: {} }),
      );
      expect(server.requests).to.have.length(1);
    });
  });

  it('creates an idempotency key for each POST, unless the caller sets one', async () => {
    server.script({ status: 201, body: {} });
    await create();
    await create();
    await client.post('/webhooks', {
      params: { header: { 'Idempotency-Key': 'mine' } },
      body: { url: 'https://x.example.com', eventTypes: ['billing.plan_changed'] },
    });
    expect(server.requests.map(({ headers }) => headers['idempotency-key'])).to.deep.equal([
      'key-1',
      'key-2',
      'mine',
    ]);
  });

  it('replays all deliveries by a job and waits for its end', async () => {
    const job = (status: string, endedAt: string | null) => ({
      status: 200,
      body: { jobId: 'rpl_1', status, endedAt, replayed: 2 },
    });
    server.script(job('counting', null), job('running', null), job('succeeded', '2026-03-01T09:31:00.000Z'));
    const seen: string[] = [];
    const ended = await client.replayAll(
      { createdAfter: '2026-03-01T00:00:00Z', ratePerSecond: 200 },
      { pollMs: 1, onProgress: ({ status }) => seen.push(status) },
    );
    expect(ended).to.include({ status: 'succeeded', replayed: 2 });
    expect(seen).to.deep.equal(['counting', 'running', 'succeeded']);
    expect(server.requests.map(({ url }) => url)).to.deep.equal([
      '/workspaces/acme/webhooks/replay-jobs',
      '/workspaces/acme/webhooks/replay-jobs/rpl_1',
      '/workspaces/acme/webhooks/replay-jobs/rpl_1',
    ]);
    expect(JSON.parse(server.requests[0]!.body)).to.include({ ratePerSecond: 200 });
  });

  // Regression: the example returned what the job had replayed until then, as if that were all.
  it('runs the example that replays, which rejects if its job does not succeed', async () => {
    const ended = (status: string, replayed: number) => ({
      status: 200,
      body: { jobId: 'rpl_1', status, endedAt: '2026-03-01T09:31:00.000Z', matched: 3, replayed },
    });
    const replay = () => replayMissed(client, 'whe_1', new Date(NOW));
    server.script(ended('succeeded', 0), ended('succeeded', 3));
    expect(await replay()).to.equal(3);
    server.script(ended('succeeded', 0), ended('cancelled', 2));
    expect(await failure(replay())).to.have.property('message', 'replay job rpl_1 cancelled');
    server.script(ended('failed', 0));
    expect(await failure(replay())).to.have.property('message', 'replay job rpl_1 failed');
  });

  // Regression: the signal was only checked between two polls, and an aborted one still started the job.
  it('stops waiting for a job at once when it is aborted, even while the server does not answer', async () => {
    server.script({ status: 200, body: { jobId: 'rpl_1', status: 'running', endedAt: null } }, 'silence');
    const stop = new AbortController();
    const selection = { createdAfter: '2026-03-01T00:00:00Z' };
    const job = client.replayAll(selection, { pollMs: 1, signal: stop.signal });
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    stop.abort();
    expect(await failure(job)).to.equal(stop.signal.reason);
    server.script(EMPTY);
    expect(await failure(client.replayAll(selection, { signal: stop.signal }))).to.equal(stop.signal.reason);
    expect(server.requests).to.be.empty;
  });

  it('aborts publishing', async () => {
    server.script('silence');
    const signal = AbortSignal.timeout(20);
    const event = { type: 'invoice.paid', data: {} };
    expect(await failure(client.publish(event, { signal }))).to.equal(signal.reason);
  });

  it('explains an event at each endpoint, page by page', async () => {
    const page = (endpointId: string, nextCursor: string | null) => ({
      status: 200,
      body: { items: [{ endpointId }], nextCursor },
    });
    server.script(page('whe_1', 'c1'), page('whe_2', null));
    const ids: string[] = [];
    for await (const { endpointId } of client.events.explain('evt_1')) ids.push(endpointId);
    expect(ids).to.deep.equal(['whe_1', 'whe_2']);
    expect(server.requests.map(({ url }) => url)).to.deep.equal([
      '/workspaces/acme/events/evt_1?limit=200',
      '/workspaces/acme/events/evt_1?limit=200&cursor=c1',
    ]);
  });

  describe('paginate', () => {
    const page = (ids: readonly string[], nextCursor: string | null) => ({
      status: 200,
      body: { items: ids.map((id) => ({ id })), nextCursor },
    });

    it('yields the items of all pages and keeps the filters', async () => {
      server.script(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null));
      const ids: string[] = [];
      for await (const { id } of client.paginate('/webhooks', { params: { query: { limit: 2 } } }))
        ids.push(id);
      expect(ids).to.deep.equal(['a', 'b', 'c']);
      expect(server.requests.map(({ url }) => url.split('?')[1])).to.deep.equal([
        'limit=2',
        'limit=2&cursor=c1',
        'limit=2&cursor=c2',
      ]);
    });

    it('ends at a page without a cursor', async () => {
      server.script({ status: 200, body: { items: [{ id: 'a' }] } }, { status: 500 });
      const ids: string[] = [];
      for await (const { id } of client.paginate('/webhooks')) ids.push(id);
      expect(ids).to.deep.equal(['a']);
    });

    it('fetches no page after the iteration stops', async () => {
      server.script(page(['a'], 'c1'));
      for await (const _ of client.paginate('/audit-events')) break;
      expect(server.requests).to.have.length(1);
    });
  });
});
