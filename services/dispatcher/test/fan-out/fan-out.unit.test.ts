import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { Queued } from '@postrider/shared/ports/queue';
import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { anEndpoint, idFor, later, NOON, TRACE_ID, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { eventually } from '@postrider/shared/testing/eventually';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { createFanOut, type NewEvent } from '../../src/fan-out/fan-out.js';
import type { ReadEvent } from '../../src/fan-out/read-event.js';
import type { StoredDelivery } from '../../src/ports/hand-over.js';
import { aClock, aLog } from '../engine/builders.js';
import { aReadEvent } from './events.js';

const HELD_PER_ENDPOINT = 3;
const OTHER_WORKSPACE = idFor('workspace', 'other');

/** Endpoints of a workspace. */
const many = (count: number, workspaceId: WorkspaceId = WORKSPACE_ID) =>
  Array.from({ length: count }, (_, index) =>
    anEndpoint({ id: idFor('endpoint', `${workspaceId} ${index}`), workspaceId }),
  );

/** A fan-out over stores in memory. `calls` records the calls in order. */
function aWorld(endpoints: readonly Endpoint[], stores = createInMemoryStores()) {
  const calls: string[] = [];
  const chunks: (readonly Delivery[])[] = [];
  const sent: Queued[] = [];
  const handedOver: Delivery[] = [];
  const reads: number[] = [];
  const log = aLog();
  for (const endpoint of endpoints) stores.endpoints.set(endpoint.id, endpoint);
  const world = {
    mayHold: true,
    mayTake: (_stored: StoredDelivery) => false,
    beforeInsert: async (_rows: readonly Delivery[]): Promise<void> => {},
    beforeEnqueue: async (): Promise<void> => {},
  };
  const fanOut = createFanOut({
    store: {
      ...stores.fanOut,
      async subscribers(query) {
        const found = await stores.fanOut.subscribers(query);
        calls.push(`read ${query.workspaceIds.length} workspaces`);
        reads.push(found.length);
        return found;
      },
      async subscribersAfter(query) {
        const found = await stores.fanOut.subscribersAfter(query);
        calls.push('read a page');
        reads.push(found.length);
        return found;
      },
      async insert(rows, held) {
        calls.push(`insert ${rows.length}`);
        await world.beforeInsert(rows);
        chunks.push(rows);
        return stores.fanOut.insert(rows, held);
      },
    },
    async enqueue(queued) {
      calls.push(`enqueue ${queued.length}`);
      await world.beforeEnqueue();
      sent.push(...queued);
    },
    handOver(stored) {
      handedOver.push(...stored.map(({ delivery }) => delivery));
      return new Set(stored.filter(world.mayTake).map(({ delivery }) => delivery.id));
    },
    mayHold: () => world.mayHold,
    heldPerEndpoint: HELD_PER_ENDPOINT,
    observer: { opened: () => null, closed: () => {} },
    isDatabaseAway: (error) => error instanceof Error && error.message === 'away',
    clock: aClock(),
    log,
  });
  const add = (event: ReadEvent, overrides: Partial<NewEvent> = {}) =>
    new Promise<void>((done) => {
      fanOut.add({ event, bytes: 100, done, isWanted: () => true, ...overrides });
    });
  const { deliveries: rows } = stores;
  return Object.assign(world, { fanOut, add, calls, chunks, sent, handedOver, reads, log, rows, stores });
}

describe('fan-out', () => {
  it('stores the rows of an event, publishes a message for each, and is done then', async () => {
    const { add, calls, rows, sent, handedOver } = aWorld(many(2));
    await add(aReadEvent());
    expect(calls).to.deep.equal(['read a page', 'insert 2', 'enqueue 2']);
    expect(handedOver).to.deep.equal([...rows.values()]);
    expect(sent).to.deep.equal(
      [...rows.values()].map(({ id, endpointId }) => ({
        topic: DELIVERIES_TOPIC,
        message: { deliveryId: id, endpointId, workspaceId: WORKSPACE_ID, ordinal: 1, traceId: TRACE_ID },
      })),
    );
  });

  it('publishes the messages of existing rows again and hands over only new rows', async () => {
    const { add, rows, sent, handedOver } = aWorld(many(2));
    await add(aReadEvent());
    const before = [...rows.values()];
    await add(aReadEvent());
    expect([...rows.values()]).to.deep.equal(before);
    expect(sent.slice(2)).to.deep.equal(sent.slice(0, 2));
    expect(handedOver).to.have.length(2);
  });

  it('publishes the messages of rows that are handed over, too, and is done after them', async () => {
    const world = aWorld(many(2));
    world.mayTake = () => true;
    await world.add(aReadEvent());
    expect(world.calls).to.deep.equal(['read a page', 'insert 2', 'enqueue 2']);
  });

  it('publishes all messages at once if one of their event is needed', async () => {
    const world = aWorld(many(2));
    const [first] = many(2);
    world.mayTake = ({ message }) => message.endpointId === first!.id;
    await world.add(aReadEvent());
    expect(world.sent).to.have.length(2);
  });

  it('publishes waiting messages when it stops', async () => {
    const world = aWorld(many(1));
    world.mayTake = () => true;
    void world.add(aReadEvent());
    await eventually(() => expect(world.handedOver).to.have.length(1));
    await world.fanOut.quiesce(5_000);
    expect(world.sent).to.have.length(1);
  });

  it('is done with an event without subscribers and remembers that it matched nothing', async () => {
    const { add, calls, stores } = aWorld([]);
    const { type, payload, occurredAt } = aReadEvent();
    await add(aReadEvent());
    expect(calls).to.deep.equal(['read a page']);
    expect([...stores.unmatchedEvents.values()]).to.deep.equal([
      { id: payload.eventId, workspaceId: WORKSPACE_ID, type, occurredAt },
    ]);
  });

  it('remembers no event of which a delivery is stored, in whichever page of its subscribers', async () => {
    const { add, stores } = aWorld([
      ...many(600),
      anEndpoint({ id: idFor('endpoint', 'zzz'), subscriptions: [] }),
    ]);
    await add(aReadEvent());
    expect(stores.unmatchedEvents.size).to.equal(0);
  });

  it('remembers an event of which nothing is held, because too much is', async () => {
    const since = later(-60_000);
    const disabled = {
      enabled: false,
      disabledReason: 'operator',
      disabledAt: since,
      enabledSince: since,
    } as const;
    const holding = { since, rows: HELD_PER_ENDPOINT, missed: 0 };
    const { add, stores } = aWorld([anEndpoint({ ...disabled, holding })]);
    await add(aReadEvent());
    expect(stores.unmatchedEvents.size).to.equal(1);
  });

  it('fans out events of several workspaces with one read, one insert and one message batch', async () => {
    const { add, calls } = aWorld([...many(2), ...many(3, OTHER_WORKSPACE)]);
    await Promise.all([
      add(aReadEvent()),
      add(aReadEvent({ name: 'second' })),
      add(aReadEvent({ workspaceId: OTHER_WORKSPACE })),
    ]);
    expect(calls).to.deep.equal(['read 2 workspaces', 'insert 7', 'enqueue 7']);
  });

  it('stores at most 500 rows at a time and reads one page more than it needs at most', async () => {
    const { add, calls, reads, rows } = aWorld(many(1_201));
    await add(aReadEvent());
    expect(calls.filter((call) => call.startsWith('insert'))).to.deep.equal([
      'insert 500',
      'insert 500',
      'insert 201',
    ]);
    expect(Math.max(...reads)).to.equal(501);
    expect(rows.size).to.equal(1_201);
  });

  it('stores at most 4 MB at a time', async () => {
    const { add, chunks } = aWorld(many(10));
    await add(aReadEvent(), { bytes: 1024 * 1024 });
    expect(chunks.map((rows) => rows.length)).to.deep.equal([4, 4, 2]);
  });

  it('reads the subscribers of a workspace once for all its waiting events', async () => {
    const { add, calls, rows } = aWorld(many(400));
    await Promise.all(['a', 'b', 'c'].map((name) => add(aReadEvent({ name }))));
    expect(calls.filter((call) => call.startsWith('read'))).to.deep.equal(['read a page']);
    expect(rows.size).to.equal(1_200);
  });

  it('reads the subscribers again for an event that arrives later', async () => {
    const world = aWorld(many(1));
    await world.add(aReadEvent());
    const [late] = many(1, idFor('workspace', 'unused')).map((one) => ({
      ...one,
      workspaceId: WORKSPACE_ID,
    }));
    world.stores.endpoints.set(late!.id, late!);
    await world.add(aReadEvent({ name: 'second' }));
    expect(world.rows.size).to.equal(3);
  });

  it('puts an event of another workspace into the next chunk, however many rows wait', async () => {
    const world = aWorld([...many(2_000), ...many(1, OTHER_WORKSPACE)]);
    const { add, chunks } = world;
    const ofOther = (rows: readonly Delivery[]) =>
      rows.some(({ workspaceId }) => workspaceId === OTHER_WORKSPACE);
    const added = Promise.withResolvers<void>();
    world.beforeInsert = async () => {
      if (chunks.length === 5) added.resolve(add(aReadEvent({ workspaceId: OTHER_WORKSPACE })));
    };
    const events = ['a', 'b', 'c'].map((name) => add(aReadEvent({ name })));
    await Promise.all([...events, added.promise]);
    expect(chunks.findIndex(ofOther)).to.equal(6);
    expect(chunks).to.have.length(13);
  });

  it('shares chunks equally among workspaces', async () => {
    const { add, chunks } = aWorld([...many(600), ...many(600, OTHER_WORKSPACE)]);
    await Promise.all([add(aReadEvent()), add(aReadEvent({ workspaceId: OTHER_WORKSPACE }))]);
    const [first = []] = chunks;
    const here = first.filter(({ workspaceId }) => workspaceId === WORKSPACE_ID);
    expect([first.length, here.length]).to.deep.equal([500, 250]);
  });

  it('stores rows of matching endpoints alone, and stops comparing for turns of other workspaces', async () => {
    const filtered = many(2_500).map((endpoint, index) => ({
      ...endpoint,
      filter: JSON.stringify({ plan: [index % 1_000 === 0 ? 'team' : 'another'] }),
    }));
    const { add, calls, rows } = aWorld([...filtered, ...many(1, OTHER_WORKSPACE)]);
    const first = add(aReadEvent()).then(() => calls.push('first is done'));
    await add(aReadEvent({ workspaceId: OTHER_WORKSPACE }));
    calls.push('the other is done');
    await first;
    expect(rows.size).to.equal(4);
    expect(calls.indexOf('the other is done')).to.be.lessThan(calls.indexOf('first is done'));
    expect(calls.filter((call) => call === 'read a page').length).to.be.greaterThan(4);
  });

  it('repeats only the chunk that failed while the database is away', async () => {
    const world = aWorld(many(1_200));
    let failures = 0;
    world.beforeInsert = async () => {
      if (world.chunks.length !== 1 || failures > 0) return;
      failures += 1;
      throw new Error('away');
    };
    await world.add(aReadEvent());
    expect(world.calls.filter((call) => call.startsWith('insert'))).to.deep.equal([
      'insert 500',
      'insert 500',
      'insert 500',
      'insert 200',
    ]);
    expect(world.rows.size).to.equal(1_200);
    expect(world.log.lines).to.deep.equal(['warn fan_out.failed']);
  });

  it('repeats only the messages while the broker is away', async () => {
    const world = aWorld(many(2));
    let failures = 0;
    world.beforeEnqueue = async () => {
      failures += 1;
      if (failures === 1) throw new Error('no broker');
    };
    await world.add(aReadEvent());
    expect(world.calls).to.deep.equal(['read a page', 'insert 2', 'enqueue 2', 'enqueue 2']);
  });

  it('delays no other event by one whose rows are refused', async () => {
    const world = aWorld([...many(1), ...many(1, OTHER_WORKSPACE)]);
    let refusals = 0;
    world.beforeInsert = async (rows) => {
      if (refusals === 3 || !rows.some(({ workspaceId }) => workspaceId === WORKSPACE_ID)) return;
      refusals += 1;
      throw new Error('refused');
    };
    const order: string[] = [];
    const refused = world.add(aReadEvent()).then(() => order.push('refused'));
    const other = world.add(aReadEvent({ workspaceId: OTHER_WORKSPACE })).then(() => order.push('other'));
    await Promise.all([refused, other]);
    expect(order).to.deep.equal(['other', 'refused']);
    expect(world.rows.size).to.equal(2);
  });

  it('goes on after the last finished chunk of another process', async () => {
    const endpoints = many(1_200);
    const killed = aWorld(endpoints);
    killed.beforeInsert = async () => {
      if (killed.chunks.length === 1) await new Promise(() => {});
    };
    void killed.add(aReadEvent());
    await eventually(async () =>
      expect((await killed.stores.fanOut.progressOf([aReadEvent().payload.eventId])).size).to.equal(1),
    );
    const next = aWorld([], killed.stores);
    await next.add(aReadEvent());
    expect(next.chunks.map((rows) => rows.length)).to.deep.equal([500, 200]);
    expect(next.rows.size).to.equal(1_200);
    await next.add(aReadEvent());
    expect(next.chunks, 'nothing of a complete event').to.have.length(2);
  });

  it('starts no chunk after a stop and finishes the one in progress', async () => {
    const world = aWorld(many(1_200));
    const stored = Promise.withResolvers<void>();
    world.beforeInsert = () => stored.promise;
    void world.add(aReadEvent());
    await eventually(() => expect(world.calls).to.include('insert 500'));
    const stopped = world.fanOut.quiesce(10_000);
    stored.resolve();
    await stopped;
    expect([world.chunks.length, world.sent.length]).to.deep.equal([1, 500]);
  });

  it('drops events that are not wanted any more', async () => {
    const world = aWorld([...many(1_200), ...many(1, OTHER_WORKSPACE)]);
    let isWanted = true;
    const stored = Promise.withResolvers<void>();
    world.beforeInsert = () => stored.promise;
    void world.add(aReadEvent(), { isWanted: () => isWanted });
    await eventually(() => expect(world.calls).to.include('insert 500'));
    isWanted = false;
    world.fanOut.removeUnwanted();
    stored.resolve();
    await world.add(aReadEvent({ workspaceId: OTHER_WORKSPACE }));
    expect(world.rows.size).to.equal(501);
  });

  describe('for a disabled endpoint', () => {
    const disabledAt = later(-1_000);
    const disabled = (overrides: Partial<Endpoint> = {}) =>
      anEndpoint({
        enabled: false,
        disabledAt,
        enabledSince: later(-60_000),
        ...overrides,
      } as Partial<Endpoint>);
    const events = (count: number) =>
      Array.from({ length: count }, (_, index) => aReadEvent({ name: `${index}` }));
    const holding = ({ stores, fanOut }: ReturnType<typeof aWorld>) =>
      fanOut.quiesce(1_000).then(() => [...stores.endpoints.values()][0]?.holding);

    it('stores held rows with their records and publishes nothing', async () => {
      const world = aWorld([disabled()]);
      await world.add(aReadEvent());
      const [row] = world.rows.values();
      expect(row).to.deep.include({
        status: 'failed_permanent',
        failureReason: 'endpoint_disabled',
        attempts: 0,
        dueAt: null,
        heldSince: disabledAt,
      });
      expect(
        [...world.stores.attempts.values()].map(({ ordinal, attemptedAt }) => [ordinal, attemptedAt]),
      ).to.deep.equal([[1, NOON]]);
      expect([world.sent, world.handedOver]).to.deep.equal([[], []]);
      expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 1, missed: 0 });
    });

    it('stores no more than the limit and counts the others as missed', async () => {
      const world = aWorld([disabled()]);
      await Promise.all(events(5).map((event) => world.add(event)));
      await world.add(aReadEvent({ name: 'later' }));
      expect(world.rows.size).to.equal(HELD_PER_ENDPOINT);
      expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 3, missed: 3 });
    });

    it('goes on counting where another process was', async () => {
      const world = aWorld([disabled({ holding: { since: disabledAt, rows: 2, missed: 7 } })]);
      await Promise.all(events(2).map((event) => world.add(event)));
      expect(world.rows.size).to.equal(1);
      expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 3, missed: 8 });
    });

    it('counts a row once when its event is handled again', async () => {
      const world = aWorld([disabled()]);
      await world.add(aReadEvent());
      await world.add(aReadEvent());
      expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 1, missed: 0 });
    });

    it('stores nothing until every process understands held rows', async () => {
      const world = aWorld([disabled()]);
      world.mayHold = false;
      await world.add(aReadEvent());
      expect([world.rows.size, await holding(world)]).to.deep.equal([0, undefined]);
    });
  });
});
