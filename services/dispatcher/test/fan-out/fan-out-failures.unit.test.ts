import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { StoredFilter } from '@postrider/shared/domain/event-filter';
import { eventKey } from '@postrider/shared/domain/event-key';
import { NotAppended } from '@postrider/shared/ports/queue';
import { WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { NewEvent } from '../../src/fan-out/open-event.js';
import { aFanOut, many, OTHER_WORKSPACE } from './a-fan-out.js';
import { aReadEvent } from './events.js';

describe('fan-out that fails or stops', () => {
  it('publishes waiting messages when it stops', async () => {
    const world = aFanOut(many(1));
    world.mayTake = () => true;
    void world.add(aReadEvent());
    await eventually(() => expect(world.handedOver).to.have.length(1));
    await world.fanOut.quiesce(5_000);
    expect(world.sent).to.have.length(1);
  });

  it('repeats only the chunk that failed while the database is away', async () => {
    const world = aFanOut(many(1_200));
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
    const world = aFanOut(many(2));
    let failures = 0;
    world.beforeEnqueue = async () => {
      failures += 1;
      if (failures === 1) throw new Error('no broker');
    };
    await world.add(aReadEvent());
    expect(world.calls).to.deep.equal(['read a page', 'insert 2', 'enqueue 2', 'enqueue 2']);
  });

  // Regression: 2,000 rows whose messages one partition did not take stopped the fan-out of all workspaces.
  for (const isHandedOver of [false, true])
    it(`delays no other workspace by messages that cannot be appended (rows handed over: ${isHandedOver})`, async () => {
      const world = aFanOut([...many(2_500), ...many(1, OTHER_WORKSPACE)]);
      world.mayTake = () => isHandedOver;
      let others = 0;
      world.beforeEnqueue = async (queued) => {
        const workspaces = queued.map(({ message }) => message.workspaceId);
        const indices = workspaces.flatMap((id, index) => (id === WORKSPACE_ID ? [index] : []));
        others += queued.length - indices.length;
        const cause = new Error('too few replicas');
        if (indices.length === queued.length) throw cause;
        if (indices.length > 0) throw new NotAppended(new Set(indices), { cause });
      };
      let isDone = false;
      void world.add(aReadEvent()).then(() => {
        isDone = true;
      });
      await eventually(() => expect(world.rows.size).to.equal(2_500));
      await world.add(aReadEvent({ workspaceId: OTHER_WORKSPACE }));
      expect(world.rows.size).to.equal(2_501);
      expect(others).to.equal(1);
      expect(isDone, 'the offset of the other event may be committed').to.equal(false);
    });

  it('delays no other event by one whose rows are refused', async () => {
    const world = aFanOut([...many(1), ...many(1, OTHER_WORKSPACE)]);
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

  describe('for an endpoint that is damaged', () => {
    /** The one at this index, in order of identifier, has a filter that is no JSON. */
    function withDamaged(endpoints: readonly Endpoint[], index: number) {
      const damaged = endpoints.toSorted((one, other) => (one.id < other.id ? -1 : 1))[index]!;
      const world = aFanOut(endpoints);
      world.stores.endpoints.set(damaged.id, { ...damaged, filter: '{' as StoredFilter });
      /** Resolves with the endpoint that is reported as damaged, null if none is. */
      const add = (overrides: Partial<NewEvent> = {}) =>
        new Promise<string | null>((resolve) => {
          void world.add(aReadEvent(), { incomplete: resolve, ...overrides }).then(() => resolve(null));
        });
      const onInsert = (before: typeof world.beforeInsert) => {
        world.beforeInsert = before;
      };
      const repair = () => world.stores.endpoints.set(damaged.id, damaged);
      return { ...world, add, damaged, repair, onInsert };
    }

    // Regression: the event waited before it, and so did the deliveries to all endpoints behind it.
    it('stores the deliveries to the others, and its own when the event is added again', async () => {
      const { add, damaged, repair, rows, sent, log } = withDamaged(many(3), 1);
      expect(await add()).to.equal(damaged.id);
      expect(rows.size).to.equal(2);
      expect(sent).to.have.length(2);
      expect(await add()).to.equal(damaged.id);
      expect(log.lines).to.deep.equal(['error fan_out.endpoint_damaged']);
      repair();
      expect(await add()).to.equal(null);
      expect(rows.size).to.equal(3);
    });

    // Regression: the messages of all other endpoints were published each time.
    it('publishes each message once, however often the event is fanned out again', async () => {
      const { add, damaged, repair, sent } = withDamaged(many(3), 1);
      const again = () => add({ isRepeated: true });
      await add();
      for (let times = 0; times < 3; times += 1) expect(await again()).to.equal(damaged.id);
      expect(sent).to.have.length(2);
      repair();
      expect(await again()).to.equal(null);
      const endpointIds = sent.map(({ message }) => message.endpointId);
      expect(endpointIds).to.have.length(3);
      expect(new Set(endpointIds).size).to.equal(3);
    });

    it('publishes all messages if the event is read from its committed offset, as after a crash', async () => {
      const { add, sent } = withDamaged(many(3), 1);
      for (let times = 0; times < 2; times += 1) await add();
      expect(sent).to.have.length(4);
    });

    for (const failure of ['away', 'a row is refused'])
      it(`publishes the message of a row that an insert stored although it failed (${failure})`, async () => {
        const world = withDamaged(many(3), 1);
        await world.add();
        world.repair();
        let inserts = 0;
        world.onInsert(async (rows) => {
          inserts += 1;
          if (inserts > 1) return;
          await world.stores.fanOut.insert(rows, []);
          throw new Error(failure);
        });
        expect(await world.add({ isRepeated: true })).to.equal(null);
        expect(inserts).to.be.above(1);
        expect(world.sent.map(({ message }) => message.endpointId)).to.include(world.damaged.id);
      });

    it('stores no progress from its page on, so that the next process does not skip it', async () => {
      const { add, damaged, repair, rows, stores, chunks } = withDamaged(many(1_200), 700);
      const key = eventKey(aReadEvent().payload);
      expect(await add()).to.equal(damaged.id);
      expect(rows.size).to.equal(1_199);
      const stored = (await stores.fanOut.progressOf([key])).get(key);
      expect(stored).to.include({ isComplete: false });
      expect(stored!.after < damaged.id).to.equal(true);
      repair();
      expect(await add()).to.equal(null);
      expect(rows.size).to.equal(1_200);
      expect(chunks.flat(), 'not the first page again').to.have.length.below(1_199 + 1_200);
      expect((await stores.fanOut.progressOf([key])).get(key)).to.include({ isComplete: true });
    });

    it('does not remember an event for it alone as one that matched no endpoint', async () => {
      const { add, stores } = withDamaged(many(1), 0);
      await add();
      expect(stores.unmatchedEvents.size).to.equal(0);
    });
  });

  it('continues after the last finished chunk of another process', async () => {
    const endpoints = many(1_200);
    const killed = aFanOut(endpoints);
    killed.beforeInsert = async () => {
      if (killed.chunks.length === 1) await new Promise(() => {});
    };
    void killed.add(aReadEvent());
    await eventually(async () =>
      expect((await killed.stores.fanOut.progressOf([eventKey(aReadEvent().payload)])).size).to.equal(1),
    );
    const next = aFanOut([], killed.stores);
    await next.add(aReadEvent());
    expect(next.chunks.map((rows) => rows.length)).to.deep.equal([500, 200]);
    expect(next.rows.size).to.equal(1_200);
    await next.add(aReadEvent());
    expect(next.chunks, 'nothing of a complete event').to.have.length(2);
  });

  // Regression: the progress of the first workspace was taken for that of the second, whose rows were then not stored.
  it('stores all rows of an event that was sent to two workspaces under one identifier', async () => {
    const world = aFanOut([...many(600), ...many(600, OTHER_WORKSPACE)]);
    await world.add(aReadEvent());
    await world.add(aReadEvent({ workspaceId: OTHER_WORKSPACE }));
    expect(world.rows.size).to.equal(1_200);
  });

  // An older process may have stored it for another workspace.
  it('does not use progress that was stored without the workspace', async () => {
    const world = aFanOut(many(600));
    const { eventId } = aReadEvent().payload;
    const [after] = many(1).map(({ id }) => id);
    await world.stores.fanOut.saveProgress(new Map([[eventId, { after: after!, isComplete: true }]]));
    await world.add(aReadEvent());
    expect(world.rows.size).to.equal(600);
  });

  it('stores no progress beyond a chunk with a row that has neither a message nor an end', async () => {
    const world = aFanOut(many(1_200));
    let taken = 0;
    world.mayTake = () => {
      taken += 1;
      return taken === 1;
    };
    const stored = async () => {
      const found = await world.stores.fanOut.progressOf([eventKey(aReadEvent().payload)]);
      return found.get(eventKey(aReadEvent().payload)) ?? null;
    };
    const added = world.add(aReadEvent());
    await eventually(() => expect(world.sent).to.have.length(1_199));
    expect(await stored()).to.equal(null);
    Object.assign(world.taken[0]!, { hasEnded: true }).onEnded();
    await added;
    expect(await stored()).to.include({ isComplete: true });
  });

  it('starts no chunk after a stop and finishes the one in progress', async () => {
    const world = aFanOut(many(1_200));
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
    const world = aFanOut([...many(1_200), ...many(1, OTHER_WORKSPACE)]);
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
});
