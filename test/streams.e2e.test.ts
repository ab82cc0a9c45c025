import { hasBrowser, openBrowser } from '@postrider/api/testing/browser';
import { createClient, PostriderError, type StreamFilter, type StreamMessage } from '@postrider/client';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type System, startSystem } from './system.js';

/** Collects the messages of a stream until it is stopped. */
interface Collected {
  readonly messages: StreamMessage[];
  /** Resolves with the head of the response: what happens afterwards is in the stream. */
  readonly answered: Promise<void>;
  readonly failure: Promise<unknown>;
  stop(): void;
}

describe('streams', () => {
  let system: System;
  let port = 0;
  const open = new Set<Collected>();
  before(async () => {
    system = await startSystem();
    port = system.services('api')[0]!.port!;
  });
  afterEach(async () => {
    for (const collected of open) collected.stop();
    open.clear();
    // The next test counts open streams.
    await live(0);
  });
  after(() => system?.stop());

  const clientOf = (token = system.token, onAnswer = () => {}) =>
    createClient({
      baseUrl: 'http://127.0.0.1',
      workspace: 'acme',
      token,
      fetch: async (request) => {
        const url = request.url.replace('127.0.0.1', `127.0.0.1:${port}`);
        const response = await fetch(new Request(url, request));
        onAnswer();
        return response;
      },
    });
  const collect = (filter: StreamFilter = {}, token?: string, lastEventId?: string): Collected => {
    const stopping = new AbortController();
    const messages: StreamMessage[] = [];
    const answered = Promise.withResolvers<void>();
    const options = { signal: stopping.signal, ...(lastEventId !== undefined && { lastEventId }) };
    const run = async () => {
      for await (const message of clientOf(token, answered.resolve).stream(filter, options))
        messages.push(message);
    };
    const failure = run().then(
      () => null,
      (error: unknown) => error,
    );
    const collected = { messages, answered: answered.promise, failure, stop: () => stopping.abort() };
    open.add(collected);
    return collected;
  };
  const currentApi = () => system.services('api').find((one) => one.port === port)!;
  const openStreams = async () => {
    const text = await (await fetch(`http://127.0.0.1:${currentApi().metricsPort}/metrics`)).text();
    return Number(/^postrider_streams(?:\{.*\})? (\d+)$/m.exec(text)?.[1]);
  };
  const allAnswered = (streams: readonly Collected[]) => Promise.all(streams.map((one) => one.answered));
  /** For the streams of a page, and those that end. */
  const live = (count: number) => eventually(async () => expect(await openStreams()).to.equal(count));
  const endpoint = async (path: string) =>
    (
      await clientOf().post('/webhooks', {
        body: { url: `${system.receiver.url}/${path}`, eventTypes: ['billing.plan_changed'] },
      })
    ).id;
  let plans = 0;
  const changePlan = () =>
    clientOf().put('/billing/plan', { body: { plan: plans++ % 2 === 0 ? 'team' : 'free' } });
  const remove = (endpointId: string) =>
    clientOf().delete('/webhooks/{endpointId}', { params: { path: { endpointId } } });
  const typesOf = ({ messages }: Collected) => messages.map(({ type }) => type);

  it('show deliveries of the endpoint as they are created, attempted and ended, with payloads if wanted', async () => {
    const [one, other] = [await endpoint('one'), await endpoint('other')];
    const all = collect();
    const some = collect({ endpointId: one, payload: true });
    await allAnswered([all, some]);
    await changePlan();
    await eventually(() => {
      expect(typesOf(some)).to.deep.equal(['delivery.created', 'delivery.attempted', 'delivery.ended']);
      expect(all.messages).to.have.length(6);
    });
    const [created, , ended] = some.messages.map(({ data }) => data as Record<string, unknown>);
    expect(created).to.include({ endpointId: one, status: 'pending', attempts: 0, httpStatus: null });
    expect(created!.payload).to.include({ eventId: created!.eventId, plan: 'team' });
    expect(ended).to.include({ endpointId: one, status: 'delivered', attempts: 1, httpStatus: 200 });
    expect(ended).not.to.have.any.keys('payload', 'workspaceId');
    await Promise.all([remove(one), remove(other)]);
  });

  it('show the events of the workspace, whether or not an endpoint matches', async () => {
    const events = collect({ source: 'events', eventType: 'billing.plan_changed' });
    await events.answered;
    await changePlan();
    await eventually(() => expect(typesOf(events)).to.deep.equal(['event.published']));
    const data = events.messages[0]!.data as Record<string, unknown>;
    expect(data).to.have.all.keys('eventId', 'eventType', 'occurredAt', 'payload');
    expect(data.payload).to.include({ eventId: data.eventId, previousPlan: 'team', plan: 'free' });
  });

  it('are audited once an hour for each caller, target and event type where they show payloads', async () => {
    const created = await clientOf().post('/api-tokens', { body: { name: 'watcher', scopes: ['read'] } });
    const { token, id } = created;
    const endpointId = await endpoint('audited');
    const opened = [
      collect({}, token),
      collect({ source: 'events' }, token),
      collect({ source: 'events' }, token),
      collect({ source: 'events', eventType: 'billing.plan_changed' }, token),
      collect({ endpointId, payload: true }, token),
    ];
    await allAnswered(opened);
    const query = { action: 'webhook.stream_opened', actorId: id };
    const { items } = await clientOf().get('/audit-events', { params: { query } });
    // A new hour may begin meanwhile.
    const shown = ({ target, metadata }: (typeof items)[number]) =>
      `${target.type} ${metadata.source} ${metadata.eventType}`;
    expect([...new Set(items.map(shown))]).to.have.members([
      'workspace events null',
      'workspace events billing.plan_changed',
      'endpoint deliveries null',
    ]);
    expect(items.length).to.be.at.most(4);
    for (const { source } of items) expect(source?.address).to.equal('127.0.0.1');
    await remove(endpointId);
  });

  it('fill the live panel of the console, which misses nothing in a pause', async function () {
    if (!hasBrowser) this.skip();
    const endpointId = await endpoint('console');
    const browser = await openBrowser();
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/console/#token=${system.token}`);
    const panel = page.getByRole('region', { name: 'Live', exact: true });
    const outcomes = panel.getByRole('listitem');
    const ends = collect({ endpointId });
    await ends.answered;
    // Before the first outcome, and after it.
    for (const shown of [0, 1]) {
      await live(2);
      await panel.getByRole('button', { name: 'Pause' }).click();
      await live(1);
      await changePlan();
      const isEnd = (type: string) => type === 'delivery.ended';
      await eventually(() => expect(typesOf(ends).filter(isEnd)).to.have.length(shown + 1));
      expect(await outcomes.count()).to.equal(shown);
      await panel.getByRole('button', { name: 'Resume' }).click();
      await outcomes.nth(shown).waitFor();
    }
    const delivered = outcomes.filter({ hasText: 'Delivered' }).filter({ hasText: 'billing.plan_changed' });
    expect(await delivered.count()).to.equal(2);
    await changePlan();
    await delivered.nth(2).waitFor();
    await browser.close();
    await remove(endpointId);
  });

  it('continue at another process without a gap after a restart', async () => {
    const id = await endpoint('resumed');
    const ends = collect({ endpointId: id });
    await ends.answered;
    await changePlan();
    await eventually(() => expect(ends.messages).to.have.length(3));
    const before = currentApi();
    port = (await system.start('api')).port!;
    const stopped = before.stop(30_000);
    await changePlan();
    await changePlan();
    await stopped;
    await eventually(() => expect(ends.messages).to.have.length(9), 20_000);
    const keys = ends.messages.map(
      ({ type, data }) => `${type} ${(data as { deliveryId: string }).deliveryId}`,
    );
    expect(new Set(keys).size).to.equal(9);
    await remove(id);
  });

  it('begin with a reset where they cannot continue', async () => {
    const stream = collect({}, undefined, 'unknown');
    await eventually(() => expect(typesOf(stream)).to.deep.equal(['reset']));
  });

  it('are limited to ten for a token', async () => {
    await allAnswered(Array.from({ length: 4 }, () => collect()));
    const first = port;
    port = (await system.start('api')).port!;
    await allAnswered(Array.from({ length: 6 }, () => collect()));
    for (const at of [first, port]) {
      const path = `http://127.0.0.1:${at}/workspaces/acme/stream`;
      const refused = await fetch(path, { headers: { authorization: `Bearer ${system.token}` } });
      expect(refused.status).to.equal(429);
      expect(await refused.json()).to.include({ tag: 'TooManyStreams' });
      expect(refused.headers.get('retry-after')).to.equal('10');
    }
  });

  it('are limited to a fifth of those of a process for a workspace, whatever its tokens', async () => {
    const before = port;
    const limited = await system.start('api', { MAX_STREAMS: '10' });
    port = limited.port!;
    const create = (name: string) => clientOf().post('/api-tokens', { body: { name, scopes: ['read'] } });
    const tokens = [await create('first'), await create('second')];
    await allAnswered(tokens.map(({ token }) => collect({}, token)));
    const path = `http://127.0.0.1:${port}/workspaces/acme/stream`;
    const refused = await fetch(path, { headers: { authorization: `Bearer ${system.token}` } });
    expect(refused.status).to.equal(429);
    expect(await refused.json()).to.include({ tag: 'TooManyStreams' });
    for (const collected of open) collected.stop();
    await live(0);
    await collect().answered;
    port = before;
  });

  it('of a portal link show its endpoints only, and no events', async () => {
    const [own, foreign] = [await endpoint('own'), await endpoint('foreign')];
    const { token } = await clientOf().post('/portal-links', { body: { endpointIds: [own] } });
    const limited = collect({}, token);
    const whole = collect();
    await allAnswered([limited, whole]);
    await changePlan();
    await eventually(() => {
      expect(whole.messages).to.have.length(6);
      expect(limited.messages).to.have.length(3);
    });
    for (const { data } of limited.messages) expect(data).to.include({ endpointId: own });
    for (const [filter, tag] of [
      [{ endpointId: foreign }, 'EndpointNotFound'],
      [{ source: 'events' }, 'WorkspaceNotFound'],
    ] as const) {
      const error = await collect(filter, token).failure;
      expect(error).to.be.instanceOf(PostriderError);
      expect(error).to.include({ tag });
    }
    await Promise.all([remove(own), remove(foreign)]);
  });

  it('of a revoked token end within ten seconds', async () => {
    const { id, token } = await clientOf().post('/api-tokens', { body: { name: 'short', scopes: ['read'] } });
    const stream = collect({}, token);
    await stream.answered;
    await clientOf().delete('/api-tokens/{tokenId}', { params: { path: { tokenId: id } } });
    const error = await stream.failure;
    expect(error).to.include({ tag: 'Unauthorized' });
  });
});
