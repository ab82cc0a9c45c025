import { expect } from 'chai';
import { type Client, createClient, PostriderError, UnexpectedAnswer } from '../src/index.js';
import { refusal, type TestServer, testServer } from './test-server.js';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const EMPTY = { status: 200, body: { items: [], nextCursor: null } };

describe('the client', () => {
  let server: TestServer;
  let waits: number[];
  let client: Client;
  before(async () => {
    server = await testServer();
  });
  after(() => server.close());
  beforeEach(() => {
    waits = [];
    let made = 0;
    client = createClient({
      baseUrl: `${server.url}/`,
      workspace: 'acme',
      token: 'prt_x',
      newIdempotencyKey: () => {
        made += 1;
        return `key-${made}`;
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

  it('asks below its workspace, as its token, with the parameters in their places', async () => {
    server.script(EMPTY);
    await client.get('/webhooks/{endpointId}/deliveries', {
      params: { path: { endpointId: 'whe_1/2' }, query: { status: 'failed', limit: 3 } },
    });
    const [request] = server.seen;
    expect(request!.url).to.equal('/workspaces/acme/webhooks/whe_1%2F2/deliveries?status=failed&limit=3');
    expect(request!.headers.authorization).to.equal('Bearer prt_x');
    expect(request!.headers['idempotency-key']).to.equal(undefined);
  });

  it('asks nobody with an id that would lead elsewhere', async () => {
    server.script(EMPTY);
    for (const endpointId of ['', '.', '..']) {
      expect(await failure(client.get('/webhooks/{endpointId}', { params: { path: { endpointId } } })))
        .to.be.instanceOf(TypeError)
        .with.property('message', `endpointId cannot be "${endpointId}"`);
    }
    expect(server.seen).to.be.empty;
  });

  it('gives back the body of a success, and nothing where there is none', async () => {
    server.script({ status: 200, body: { plan: 'team' } });
    expect(await client.put('/billing/plan', { body: { plan: 'team' } })).to.deep.equal({ plan: 'team' });
    expect(server.seen[0]!.body).to.equal('{"plan":"team"}');
    server.script({ status: 204 });
    const params = { path: { endpointId: 'whe_1' } };
    expect(await client.delete('/webhooks/{endpointId}', { params })).to.equal(undefined);
  });

  describe('refused', () => {
    it('throws the problem with its tag, detail, mistakes and trace id', async () => {
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
      expect(server.seen).to.have.length(1);
    });

    it('tells what is no answer of the server apart', async () => {
      server.script({ status: 502, body: '<html>', headers: { 'content-type': 'text/html' } });
      const error = await failure(client.get('/webhooks'));
      expect(error).to.be.instanceOf(UnexpectedAnswer).and.to.include({ status: 502 });
    });
  });

  describe('told to come back later', () => {
    for (const [status, tag] of [
      [429, 'RateLimited'],
      [503, 'Unavailable'],
    ] as const) {
      it(`waits as long as a ${status} asks for, then asks the same again`, async () => {
        const later = { ...refusal(status, tag), headers: { 'retry-after': '7' } };
        server.script(later, later, { status: 201, body: { id: 'whe_1' } });
        expect(await create()).to.deep.equal({ id: 'whe_1' });
        expect(waits).to.deep.equal([7_000, 7_000]);
        expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key']))).to.deep.equal(
          new Set(['key-1']),
        );
        expect(new Set(server.seen.map(({ body }) => body))).to.have.property('size', 1);
      });
    }

    it('understands a date, and one that is past', async () => {
      const at = (ms: number) => ({
        ...refusal(503, 'Unavailable'),
        headers: { 'retry-after': new Date(NOW + ms).toUTCString() },
      });
      server.script(at(3_000), at(-3_000), EMPTY);
      await client.get('/webhooks');
      expect(waits).to.deep.equal([3_000, 0]);
    });

    it('doubles its waits where none is asked for, and gives up after four', async () => {
      server.script(refusal(503, 'Unavailable'));
      const error = await failure(client.get('/webhooks'));
      expect(error).to.be.instanceOf(PostriderError).and.to.include({ tag: 'Unavailable' });
      expect(waits).to.deep.equal([500, 1_000, 2_000, 4_000]);
      expect(server.seen).to.have.length(5);
    });

    it('does not wait for longer than it may', async () => {
      server.script({ ...refusal(429, 'RateLimited'), headers: { 'retry-after': '61' } });
      expect(await failure(client.get('/webhooks'))).to.include({ tag: 'RateLimited' });
      expect(waits).to.deep.equal([]);
    });
  });

  describe('without an answer', () => {
    it('repeats what has its effect once', async () => {
      server.script('hang up', { status: 201, body: { id: 'whe_1' } });
      await create();
      expect(server.seen.map(({ headers }) => headers['idempotency-key'])).to.deep.equal(['key-1', 'key-1']);
    });

    it('leaves everything else to the caller', async () => {
      server.script('hang up');
      await failure(
        client.patch('/webhooks/{endpointId}', { params: { path: { endpointId: 'whe_1' } }, body: {} }),
      );
      expect(server.seen).to.have.length(1);
    });
  });

  it('makes a key for each POST, and takes the one that the caller brings', async () => {
    server.script({ status: 201, body: {} });
    await create();
    await create();
    await client.post('/webhooks', {
      params: { header: { 'Idempotency-Key': 'mine' } },
      body: { url: 'https://x.example.com', eventTypes: ['billing.plan_changed'] },
    });
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).to.deep.equal([
      'key-1',
      'key-2',
      'mine',
    ]);
  });

  describe('paginating', () => {
    const page = (ids: readonly string[], nextCursor: string | null) => ({
      status: 200,
      body: { items: ids.map((id) => ({ id })), nextCursor },
    });

    it('yields every item of every page, and keeps the filters', async () => {
      server.script(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null));
      const ids: string[] = [];
      for await (const { id } of client.paginate('/webhooks', { params: { query: { limit: 2 } } }))
        ids.push(id);
      expect(ids).to.deep.equal(['a', 'b', 'c']);
      expect(server.seen.map(({ url }) => url.split('?')[1])).to.deep.equal([
        'limit=2',
        'limit=2&cursor=c1',
        'limit=2&cursor=c2',
      ]);
    });

    it('asks for no page that nobody reads', async () => {
      server.script(page(['a'], 'c1'));
      for await (const _ of client.paginate('/audit-events')) break;
      expect(server.seen).to.have.length(1);
    });
  });
});
