import { eventKey } from '@postrider/shared/domain/event-key';
import { asId, type IdKind, idOf, type WorkspaceId } from '@postrider/shared/domain/id';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { connectPublisher, type Publisher } from '@postrider/shared/kafka/publisher';
import { isDatabaseAway } from '@postrider/shared/mongo/database-away';
import { toDocument } from '@postrider/shared/mongo/documents';
import { createFanOutStore } from '@postrider/shared/mongo/fan-out-store';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { anEndpoint } from '@postrider/shared/testing/builders';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { createFanOut, type FanOut } from '../../src/fan-out/fan-out.js';
import type { ReadEvent } from '../../src/fan-out/read-event.js';
import { aReadEvent } from './events.js';

const ENDPOINTS = 1_600;
const EVENTS = 4;

const newId = <Kind extends IdKind>(kind: Kind) => idOf(kind, new Date(), randomTail());

/** One workspace with many endpoints and one with a single endpoint, on real servers. */
describe('a storm of events', () => {
  let world: TestWorld;
  let publisher: Publisher;
  const [crowded, quiet] = [newId('workspace'), newId('workspace')];
  before(async () => {
    world = await testWorld();
    publisher = await connectPublisher(world.kafka, world.names);
    const endpointOf = (workspaceId: WorkspaceId) => anEndpoint({ id: newId('endpoint'), workspaceId });
    const endpoints = [endpointOf(quiet), ...Array.from({ length: ENDPOINTS }, () => endpointOf(crowded))];
    await world.database.collections.endpoints.insertMany(endpoints.map(toDocument));
  });
  after(async () => {
    await publisher?.close();
    await world?.destroy();
  });

  const eventOf = (workspaceId: WorkspaceId, name: string): ReadEvent => aReadEvent({ workspaceId, name });
  const storm = (name: string) =>
    Array.from({ length: EVENTS }, (_, index) => eventOf(crowded, `${name} ${index}`));
  const rowsOf = (workspaceId: WorkspaceId) =>
    world.database.collections.deliveries.countDocuments({ workspaceId });

  /** The fan-out of one process. `onChunk` is called with the workspaces of each chunk before it is stored. */
  function aProcess(onChunk: (workspaces: readonly string[], fanOut: FanOut) => void = () => {}) {
    const store = createFanOutStore(world.database.collections);
    const sent: string[] = [];
    /** The last endpoint of each event whose chunk is finished, by the event's key: its progress is stored. */
    const finished = new Map<string, string>();
    const state = { isKilled: false, isWanted: true };
    /** The calls of a killed process have no effect and get no response. */
    const unlessKilled = async () => {
      if (state.isKilled) await new Promise(() => {});
    };
    const enqueue = createEnqueue(publisher.publish);
    const fanOut = createFanOut({
      store: {
        ...store,
        async insert(rows, held) {
          onChunk(
            rows.map(({ workspaceId }) => workspaceId),
            fanOut,
          );
          await unlessKilled();
          return store.insert(rows, held);
        },
        async saveProgress(progress) {
          await unlessKilled();
          await store.saveProgress(progress);
          for (const [key, { after }] of progress) finished.set(key, after);
        },
      },
      async enqueue(queued) {
        await unlessKilled();
        await enqueue(queued);
        sent.push(...queued.map(({ message }) => message.deliveryId));
      },
      handOver: () => new Map(),
      unstartedRows: { areMany: () => false, hasShare: () => false },
      starts: { areBehind: () => false, areBehindFor: () => false, count: () => 0 },
      mayHold: () => false,
      heldPerEndpoint: 0,
      observer: { opened: () => null, closed: () => {} },
      isDatabaseAway,
      busy: () => 0,
      clock: { now: () => new Date() },
      monotonicMs: () => performance.now(),
      wallMs: () => Date.now(),
      log: world.log,
    });
    const add = (event: ReadEvent) =>
      new Promise<void>((done) => {
        fanOut.add({
          event,
          bytes: 200,
          queued: () => {},
          done,
          incomplete: () => {},
          isWanted: () => state.isWanted,
          isRepeated: false,
        });
      });
    return { fanOut, add, sent, finished, state };
  }

  /** The messages of a process that another one had published before, in chunks that it had finished. */
  async function repeatedOf(sent: readonly string[], finished: ReadonlyMap<string, string>) {
    const rows = await world.database.collections.deliveries
      .find({ _id: { $in: sent.map((id) => asId('delivery', id)) } })
      .toArray();
    return rows.filter(({ payload, workspaceId, endpointId }) => {
      const key = eventKey({ eventId: String(payload.eventId), workspaceId });
      return endpointId <= (finished.get(key) ?? '');
    });
  }

  it('of one workspace delays an event of another one by one chunk', async () => {
    const chunks: (readonly string[])[] = [];
    const added = Promise.withResolvers<void>();
    const { add } = aProcess((workspaces) => {
      chunks.push(workspaces);
      if (chunks.length === 3) added.resolve(add(eventOf(quiet, 'quiet')));
    });
    await Promise.all([...storm('first').map(add), added.promise]);
    expect(chunks.findIndex((workspaces) => workspaces.includes(quiet))).to.equal(3);
    expect(chunks).to.have.length(EVENTS * Math.ceil(ENDPOINTS / 500));
    expect([await rowsOf(crowded), await rowsOf(quiet)]).to.deep.equal([ENDPOINTS * EVENTS, 1]);
  });

  it('repeats no published chunk when its process stops and another one continues', async () => {
    const before = await rowsOf(crowded);
    const events = storm('second');
    let chunks = 0;
    const stopped = Promise.withResolvers<void>();
    const first = aProcess((_, fanOut) => {
      chunks += 1;
      if (chunks === 5) stopped.resolve(fanOut.quiesce(10_000));
    });
    for (const event of events) void first.add(event);
    await stopped.promise;
    const second = aProcess();
    await Promise.all(events.map(second.add));
    expect(await rowsOf(crowded)).to.equal(before + ENDPOINTS * EVENTS);
    const sent = [...first.sent, ...second.sent];
    expect(sent).to.have.length(ENDPOINTS * EVENTS);
    expect(new Set(sent).size).to.equal(sent.length);
  });

  for (const [name, interrupt] of [
    ['is killed', (one: ReturnType<typeof aProcess>) => Object.assign(one.state, { isKilled: true })],
    [
      'loses its partition in a rebalance',
      (one: ReturnType<typeof aProcess>) => {
        one.state.isWanted = false;
        one.fanOut.removeUnwanted();
      },
    ],
  ] as const) {
    it(`repeats no finished chunk when its process ${name} in the middle`, async () => {
      const before = await rowsOf(crowded);
      const events = storm(name);
      let chunks = 0;
      const interrupted = Promise.withResolvers<void>();
      const first = aProcess(() => {
        chunks += 1;
        if (chunks < 7) return;
        interrupt(first);
        interrupted.resolve();
      });
      for (const event of events) void first.add(event);
      await interrupted.promise;
      // A lost partition does not undo the chunk in progress.
      if (!first.state.isKilled) await first.fanOut.quiesce(10_000);
      const finished = new Map(first.finished);
      expect(finished).not.to.have.lengthOf(0);
      const second = aProcess();
      await Promise.all(events.map(second.add));
      expect(await rowsOf(crowded)).to.equal(before + ENDPOINTS * EVENTS);
      expect(new Set([...first.sent, ...second.sent]).size).to.equal(ENDPOINTS * EVENTS);
      expect(await repeatedOf(second.sent, finished)).to.deep.equal([]);
    });
  }
});
