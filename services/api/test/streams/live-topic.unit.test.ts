import { mock } from 'node:test';
import type { PartitionReader, PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { PositionLost, type Positions, UNKNOWN } from '@postrider/shared/kafka/partition-reader';
import { frame } from '@postrider/shared/kafka/wire-format';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { idFor, NOON } from '@postrider/shared/testing/builders';
import { collectGarbage } from '@postrider/shared/testing/collect-garbage';
import { eventually } from '@postrider/shared/testing/eventually';
import { fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { createLiveTopic } from '../../src/streams/live-topic.js';
import type { ShownRecord } from '../../src/streams/shown-record.js';
import { createStream } from '../../src/streams/stream.js';
import { createEventReader, type RecordReader } from '../../src/streams/stream-record-readers.js';

type Fields = Pick<PartitionRecord, 'timestamp' | 'value' | 'headers'>;
const EMPTY: Fields = { timestamp: 0, value: null, headers: {} };

interface Options {
  readonly readyWithinMs?: number;
  /** Of all records. */
  readonly fields?: Fields;
  /** By default each record is shown by its position. */
  readonly readerOf?: (
    time: Pick<Parameters<typeof createEventReader>[0], 'monotonicMs' | 'sleep'>,
  ) => RecordReader;
}

/** A topic in memory: the workspace of a record is its key. */
function aTopic({ readyWithinMs = 50, fields = EMPTY, readerOf }: Options = {}) {
  const partitions: string[][] = [[], []];
  const world = {
    readers: 0,
    lostBelow: 0,
    fetched: 2,
    nowMs: 0,
    fetches: 0,
    decoded: 0,
    ids: 0,
    liveIsHeld: false,
    onPastFetch() {},
    /** Partitions without a leader. */
    leaderless: [] as number[],
    /** How many partitions a connected reader has found; a new one finds all. */
    known: Number.POSITIVE_INFINITY,
    /** The records of the last fetch that returned some. */
    last: [] as readonly WeakRef<PartitionRecord>[],
  };
  const idOf = (_workspaceId: string, positions: Positions) => {
    world.ids += 1;
    return JSON.stringify([...positions]);
  };
  const records: RecordReader = {
    workspaceOf: ({ key }) => String(key),
    read({ partition, offset }) {
      world.decoded += 1;
      const name = `${partition}:${offset}`;
      const shown = { name, eventType: 'a.b', endpointId: null, payloadOf: null, data: {} };
      return { shown, refresh: null };
    },
  };
  const hasLeader = (partition: number) => !world.leaderless.includes(partition);
  const connect = async (maxBytes: number): Promise<PartitionReader> => {
    world.readers += 1;
    const isPast = maxBytes <= 512 * 1024;
    return {
      starts: async () => new Map(partitions.map((_, index) => [index, 0])),
      partitions: () => [...partitions.keys()].filter((index) => index < world.known),
      ends: async () =>
        new Map(partitions.map((stored, index) => [index, hasLeader(index) ? stored.length : UNKNOWN])),
      async fetch(positions) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (isPast) {
          world.fetches += 1;
          world.onPastFetch();
        }
        while (!isPast && world.liveIsHeld) await new Promise((resolve) => setTimeout(resolve, 1));
        const led = [...positions].filter(([partition]) => hasLeader(partition));
        if (led.length === 0) throw new Error('no partition has a leader');
        const begun = led.filter(([, from]) => from === UNKNOWN);
        if (begun.length > 0) {
          const ends = begun.map(([partition]) => [partition, partitions[partition]!.length] as const);
          return { records: [], positions: new Map([...positions, ...ends]) };
        }
        if (led.some(([, offset]) => offset < world.lostBelow)) throw new PositionLost('topic');
        const found: PartitionRecord[] = [];
        for (const [partition, from] of led)
          for (const [index, key] of partitions[partition]!.slice(from, from + world.fetched).entries())
            found.push({ ...fields, partition, offset: from + index, key: Buffer.from(key) });
        if (found.length > 0) world.last = found.map((record) => new WeakRef(record));
        const after = new Map(positions);
        for (const { partition, offset } of found) after.set(partition, offset + 1);
        return { records: found, positions: after };
      },
      close: async () => {
        world.readers -= 1;
      },
    };
  };
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const monotonicMs = () => world.nowMs;
  const sleep = async (ms: number) => {
    world.nowMs += ms;
  };
  const topic = createLiveTopic({
    connect,
    records: readerOf?.({ monotonicMs, sleep }) ?? records,
    idOf,
    sleep: async () => {},
    monotonicMs,
    log,
    readyWithinMs,
  });
  const add = (partition: number, ...workspaces: readonly string[]) => {
    partitions[partition] ??= [];
    partitions[partition].push(...workspaces);
  };
  const subscriber = (workspaceId: string, readiness: () => Promise<void> | null = () => null) => {
    const taken: string[] = [];
    const positions: Positions[] = [];
    let resets = 0;
    return {
      workspaceId,
      taken,
      positions,
      resets: () => resets,
      readiness,
      take({ record: { name }, id }: ShownRecord) {
        taken.push(name);
        positions.push(new Map(JSON.parse(id())));
      },
      reset: () => {
        resets += 1;
      },
    };
  };
  return { topic, add, subscriber, world };
}

describe('live topic', () => {
  it('gives each subscriber the records of its workspace from its joining on, and decodes no others', async () => {
    const { topic, add, subscriber, world } = aTopic();
    add(0, 'one', 'one');
    const one = subscriber('one');
    await topic.join(one, null);
    add(0, 'two', 'one');
    add(1, 'one');
    await eventually(() => expect(one.taken).to.have.members(['0:3', '1:0']));
    expect(world.decoded).to.equal(2);
    await topic.close();
  });

  it('gives what was missed once, also to several that join together', async () => {
    const { topic, add, subscriber } = aTopic();
    add(0, 'one', 'one', 'two', 'one');
    add(1, 'one');
    const [early, late] = [subscriber('one'), subscriber('one')];
    await Promise.all([
      topic.join(
        early,
        new Map([
          [0, 0],
          [1, 1],
        ]),
      ),
      topic.join(
        late,
        new Map([
          [0, 3],
          [1, 0],
        ]),
      ),
    ]);
    expect(early.taken).to.deep.equal(['0:0', '0:1', '0:3']);
    expect(late.taken).to.deep.equal(['1:0', '0:3']);
    add(0, 'one');
    await eventually(() => expect([early.taken.at(-1), late.taken.at(-1)]).to.deep.equal(['0:4', '0:4']));
    expect(late.taken).to.have.length(3);
    await topic.close();
  });

  it('can be resumed from the position of each record', async () => {
    const { topic, add, subscriber } = aTopic();
    add(0, 'one', 'one');
    add(1, 'one', 'one');
    const all = subscriber('one');
    const start = new Map([
      [0, 0],
      [1, 0],
    ]);
    await topic.join(all, start);
    expect(all.taken).to.have.length(4);
    for (const [index, positions] of all.positions.entries()) {
      const rest = subscriber('one');
      await topic.join(rest, positions);
      expect([...all.taken.slice(0, index + 1), ...rest.taken]).to.have.members(all.taken);
    }
    await topic.close();
  });

  it('makes the id of a record once for all subscribers of a workspace, also after they have resumed', async () => {
    const { topic, add, subscriber, world } = aTopic();
    add(0, 'one');
    const [fresh, resumed] = [subscriber('one'), subscriber('one')];
    await topic.join(fresh, null);
    await topic.join(
      resumed,
      new Map([
        [0, 0],
        [1, 0],
      ]),
    );
    const before = world.ids;
    add(0, 'one', 'one');
    await eventually(() => expect(resumed.taken).to.deep.equal(['0:0', '0:1', '0:2']));
    expect(fresh.taken).to.deep.equal(['0:1', '0:2']);
    expect(world.ids - before).to.equal(2);
    await topic.close();
  });

  it('resets a subscriber whose position is lost, and continues from now', async () => {
    const { topic, add, subscriber, world } = aTopic();
    add(0, 'one', 'one');
    add(1, 'one', 'one');
    world.lostBelow = 1;
    const one = subscriber('one');
    await topic.join(
      one,
      new Map([
        [0, 0],
        [1, 2],
      ]),
    );
    expect([one.taken, one.resets()]).to.deep.equal([[], 1]);
    add(0, 'one');
    await eventually(() => expect(one.taken).to.deep.equal(['0:2']));
    await topic.close();
  });

  // Regression: it got nothing, without a word, until the topic had grown to its position.
  it('resets a subscriber that resumes behind the end of the topic, which was created again', async () => {
    const { topic, add, subscriber, world } = aTopic();
    add(0, 'one', 'one');
    add(1, 'one');
    const resumed = subscriber('one');
    const partlyKnown = subscriber('one');
    const start = [1, 0] as const;
    await Promise.all([
      topic.join(resumed, new Map([[0, 1_000], start])),
      topic.join(partlyKnown, new Map([[0, 1], [2, 7], start])),
    ]);
    expect([resumed.resets(), partlyKnown.resets()]).to.deep.equal([1, 1]);
    add(0, 'one');
    await eventually(() => expect([resumed.taken, partlyKnown.taken]).to.deep.equal([['0:2'], ['0:2']]));
    expect(resumed.positions[0]).to.deep.equal(
      new Map([
        [0, 3],
        [1, 1],
      ]),
    );
    await topic.close();
    await eventually(() => expect(world.readers).to.equal(0));
  });

  it('does not reset a subscriber that resumes ahead of what this process has read', async () => {
    const { topic, add, subscriber, world } = aTopic();
    const [live, resumed] = [subscriber('one'), subscriber('one')];
    await topic.join(live, null);
    world.liveIsHeld = true;
    add(0, 'one', 'one', 'one');
    await topic.join(
      resumed,
      new Map([
        [0, 2],
        [1, 0],
      ]),
    );
    expect([live, resumed].map((one) => topic.positions(one)?.get(0))).to.deep.equal([0, 2]);
    world.liveIsHeld = false;
    await eventually(() => expect(live.taken).to.have.length(3));
    expect([resumed.taken, resumed.resets()]).to.deep.equal([['0:2'], 0]);
    expect([live, resumed].map((one) => topic.positions(one)?.get(0))).to.deep.equal([3, 3]);
    await topic.close();
  });

  // Regression: open streams got none of its records, and streams that resumed began with what was stored from then on.
  describe('to which a partition is added', () => {
    const at = (...offsets: readonly number[]) => new Map(offsets.entries());

    it('gives its records to streams that are open, from the first one on', async () => {
      const { topic, add, subscriber, world } = aTopic();
      world.known = 2;
      const one = subscriber('one');
      await topic.join(one, null);
      add(2, 'one', 'two');
      add(0, 'one');
      await eventually(() => expect(one.taken).to.deep.equal(['0:0']));
      world.known = 3;
      await eventually(() => expect(one.taken).to.deep.equal(['0:0', '2:0']));
      expect(one.positions.at(-1)).to.deep.equal(at(1, 0, 1));
      await eventually(() => expect(topic.positions(one)).to.deep.equal(at(1, 0, 2)));
      expect(one.resets()).to.equal(0);
      await topic.close();
    });

    it('gives its records to streams that resume from before', async () => {
      const { topic, add, subscriber } = aTopic();
      add(0, 'one', 'one');
      add(2, 'one');
      const one = subscriber('one');
      await topic.join(one, at(1, 0));
      expect([one.taken, one.resets()]).to.deep.equal([['0:1', '2:0'], 0]);
      expect(topic.positions(one)).to.deep.equal(at(2, 0, 1));
      await topic.close();
    });

    it('gives a stream what it has not got at a process that found the partition earlier', async () => {
      const { topic, add, subscriber, world } = aTopic();
      world.known = 2;
      const [live, resumed] = [subscriber('one'), subscriber('one')];
      await topic.join(live, null);
      add(2, 'one', 'one');
      await topic.join(resumed, at(0, 0, 1));
      expect(topic.positions(resumed)).to.deep.equal(at(0, 0, 1));
      world.known = 3;
      await eventually(() => expect([live.taken, resumed.taken]).to.deep.equal([['2:0', '2:1'], ['2:1']]));
      expect([live.resets(), resumed.resets()]).to.deep.equal([0, 0]);
      await topic.close();
    });
  });

  // Regression: while one partition had no leader, no stream could be opened.
  describe('of which a partition has no leader', () => {
    const at = (first: number, second: number) =>
      new Map([
        [0, first],
        [1, second],
      ]);
    function aTopicWithoutLeader() {
      const aWorld = aTopic();
      aWorld.world.leaderless = [1];
      aWorld.add(0, 'one');
      aWorld.add(1, 'one', 'one', 'one');
      return { ...aWorld, one: aWorld.subscriber('one') };
    }

    it('gives the records of the others, and those of that partition once it has one, after a reset', async () => {
      const { topic, add, one, world } = aTopicWithoutLeader();
      await topic.join(one, null);
      add(0, 'one');
      await eventually(() => expect(one.taken).to.deep.equal(['0:1']));
      expect([one.resets(), topic.positions(one)]).to.deep.equal([0, at(2, UNKNOWN)]);
      world.leaderless = [];
      await eventually(() => expect(topic.positions(one)).to.deep.equal(at(2, 3)));
      add(1, 'one');
      await eventually(() => expect(one.taken).to.deep.equal(['0:1', '1:3']));
      expect(one.resets()).to.equal(1);
      await topic.close();
    });

    it('gives streams that resume everything behind their positions, once it has one', async () => {
      const { topic, add, subscriber, one, world } = aTopicWithoutLeader();
      const [other, fresh] = [subscriber('one'), subscriber('one')];
      await Promise.all([topic.join(one, at(0, 1)), topic.join(fresh, null)]);
      await topic.join(other, at(1, 2));
      expect([one.taken, other.taken]).to.deep.equal([['0:0'], []]);
      expect(topic.positions(one)).to.deep.equal(at(1, 1));
      world.leaderless = [];
      await eventually(() => expect(one.taken).to.deep.equal(['0:0', '1:1', '1:2']));
      add(1, 'one');
      await eventually(() => expect(fresh.taken).to.deep.equal(['1:3']));
      expect(other.taken).to.deep.equal(['1:2', '1:3']);
      expect([one, other, fresh].map(({ resets }) => resets())).to.deep.equal([0, 0, 1]);
      await topic.close();
    });

    it('gives streams that are caught up meanwhile everything behind their positions', async () => {
      const { topic, add, one, world } = aTopicWithoutLeader();
      add(0, ...Array.from({ length: 200 }, () => 'one'));
      world.onPastFetch = () => {
        if (world.fetches === 10) world.leaderless = [];
      };
      await topic.join(one, at(0, 1));
      await eventually(() => expect(one.taken).to.have.length(203));
      expect(one.taken).to.include.members(['0:200', '1:1', '1:2']);
      expect(one.resets()).to.equal(0);
      await topic.close();
    });

    it('resets a stream that resumes from before the partition was read, once it is', async () => {
      const { topic, add, subscriber, one, world } = aTopicWithoutLeader();
      await topic.join(one, at(0, UNKNOWN));
      expect([one.taken, one.resets()]).to.deep.equal([['0:0'], 0]);
      world.leaderless = [];
      await eventually(() => expect(topic.positions(one)).to.deep.equal(at(1, 3)));
      const other = subscriber('one');
      await topic.join(other, at(0, UNKNOWN));
      expect([other.taken, one.resets(), other.resets()]).to.deep.equal([[], 1, 1]);
      add(1, 'one');
      await eventually(() => expect(other.taken).to.deep.equal(['1:3']));
      await topic.close();
    });

    it('resets a stream that resumes behind the end that the partition has then', async () => {
      const { topic, add, one, world } = aTopicWithoutLeader();
      await topic.join(one, at(0, 7));
      expect(one.resets()).to.equal(0);
      world.leaderless = [];
      await eventually(() => expect(one.resets()).to.equal(1));
      add(1, 'one');
      await eventually(() => expect(one.taken).to.deep.equal(['0:0', '1:3']));
      await topic.close();
    });
  });

  it('gives many records of a fetch in slices, and the next one once the subscriber is ready', async () => {
    const { topic, add, subscriber, world } = aTopic();
    world.fetched = 3_000;
    let isReady = Promise.withResolvers<void>();
    const untaken = { count: 0, most: 0 };
    const slow = subscriber('one', () => (untaken.count === 0 ? null : isReady.promise));
    const take = slow.take.bind(slow);
    slow.take = (shown) => {
      take(shown);
      untaken.count += 1;
      untaken.most = Math.max(untaken.most, untaken.count);
      if (untaken.count > 1) return;
      setImmediate(() => {
        untaken.count = 0;
        isReady.resolve();
        isReady = Promise.withResolvers();
      });
    };
    const missed = Array.from({ length: 2_001 }, () => 'one');
    add(0, ...missed);
    await topic.join(slow, new Map([[0, 0]]));
    expect(slow.taken).to.have.length(2_001);
    add(0, ...missed);
    await eventually(() => expect(slow.taken).to.have.length(4_002));
    expect(untaken.most).to.be.below(2_001);
    await topic.close();
  });

  it('shows 2,001 records of a fetch to a client that takes everything, live and resumed', async () => {
    const { topic, add, world } = aTopic();
    world.fetched = 3_000;
    const missed = Array.from({ length: 2_001 }, () => 'one');
    const shown = { events: 0, ends: [] as string[] };
    const query = { source: 'events', eventType: null, endpointIds: null, withPayload: false } as const;
    const stream = createStream({
      query: { ...query, workspaceId: 'one' },
      sink: { write() {}, bufferedBytes: () => 0, drained: async () => {}, end() {} },
      idOf: () => '',
      payloadsOf: async () => new Map(),
      reserve: async () => ({ resize() {} }),
      maxBufferedBytes: () => 1024 * 1024,
      monotonicMs: () => 0,
      onEvents: (count) => {
        shown.events += count;
      },
      onEnd: (reason) => void shown.ends.push(reason),
    });
    add(0, ...missed);
    await topic.join(stream, new Map([[0, 0]]));
    add(0, ...missed);
    await eventually(() => expect(shown).to.deep.equal({ events: 4_002, ends: [] }));
    await topic.close();
  });

  it('does not let the subscribers of a workspace wait for those of another', async () => {
    const { topic, add, subscriber, world } = aTopic();
    world.fetched = 3_000;
    const stuck = subscriber('stuck', () => new Promise(() => {}));
    const other = subscriber('other');
    await topic.join(stuck, null);
    await topic.join(other, null);
    add(0, ...Array.from({ length: 400 }, () => 'stuck'), 'other');
    await eventually(() => expect(other.taken).to.deep.equal(['0:400']));
    expect(stuck.taken.length).to.be.below(400);
    expect(topic.positions(stuck)).to.equal(null);
    expect(topic.positions(other)?.get(0)).to.equal(401);
    await eventually(() => expect(stuck.taken).to.have.length(400));
    await topic.close();
  });

  for (const [name, from] of Object.entries({ new: null, missed: new Map([[0, 0]]) }))
    it(`keeps nothing of a fetch of ${name} records while a subscriber is not ready`, async () => {
      const { topic, add, subscriber, world } = aTopic({ readyWithinMs: 60_000 });
      const ready = Promise.withResolvers<void>();
      const slow = subscriber('one', () => ready.promise);
      if (from === null) await topic.join(slow, null);
      add(0, 'other', 'one');
      const joined = from && topic.join(slow, from);
      await eventually(() => expect(world.last).to.have.length(2));
      await nextTurn();
      collectGarbage();
      expect(world.last.map((record) => record.deref())).to.deep.equal([undefined, undefined]);
      expect(slow.taken).to.deep.equal([]);
      ready.resolve();
      await joined;
      await eventually(() => expect(slow.taken).to.deep.equal(['0:1']));
      await topic.close();
    });

  it('stops reading what was missed once no subscriber waits for it', async () => {
    const { topic, add, subscriber, world } = aTopic();
    add(0, ...Array.from({ length: 2_000 }, () => 'one'));
    const [stays, leaves] = [subscriber('one'), subscriber('one')];
    await topic.join(stays, null);
    const joining = topic.join(leaves, new Map([[0, 0]]));
    await eventually(() => expect(world.fetches).to.be.above(2));
    topic.leave(leaves);
    await joining;
    expect(world.fetches).to.be.below(100);
    const taken = leaves.taken.length;
    add(0, 'one');
    await eventually(() => expect(stays.taken).to.deep.equal(['0:2000']));
    expect(leaves.taken).to.have.length(taken);
    await topic.close();
  });

  it('catches a workspace up beside another one that takes long', async () => {
    const { topic, add, subscriber, world } = aTopic();
    add(0, ...Array.from({ length: 2_000 }, () => 'one'), 'two');
    const [long, short] = [subscriber('one'), subscriber('two')];
    const joining = topic.join(long, new Map([[0, 0]]));
    await eventually(() => expect(world.fetches).to.be.above(2));
    await topic.join(short, new Map([[0, 1_999]]));
    expect(short.taken).to.deep.equal(['0:2000']);
    expect(long.taken.length).to.be.below(2_000);
    topic.leave(long);
    await joining;
    await topic.close();
  });

  it('resets a workspace that would make the process read too much again', async () => {
    const { topic, add, subscriber, world } = aTopic();
    world.fetched = 200_000;
    for (let n = 0; n < 30; n += 1) add(0, ...Array.from({ length: 20_000 }, () => 'other'));
    add(0, 'one');
    const [first, second] = [subscriber('one'), subscriber('one')];
    await topic.join(first, new Map([[0, 0]]));
    await topic.join(second, new Map([[0, 0]]));
    expect([first.taken, first.resets()]).to.deep.equal([['0:600000'], 0]);
    expect([second.taken, second.resets()]).to.deep.equal([[], 1]);
    await topic.close();
  });

  it('resets those whose clients take too long to be caught up', async () => {
    const { topic, add, subscriber, world } = aTopic();
    add(0, ...Array.from({ length: 200 }, () => 'one'));
    const slow = subscriber('one', () => {
      world.nowMs += 1_000;
      return null;
    });
    await topic.join(slow, new Map([[0, 0]]));
    expect(slow.resets()).to.equal(1);
    expect(slow.taken.length).to.be.within(1, 199);
    await topic.close();
  });

  describe('with clients that take nothing', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());

    /** A workspace with 26 slices to catch up, in one fetch. */
    function aSlowWorkspace({ add, subscriber }: ReturnType<typeof aTopic>, workspaceId: string) {
      add(0, ...Array.from({ length: 1_300 }, () => workspaceId));
      return subscriber(workspaceId, () => new Promise(() => {}));
    }
    const advance = async ({ world }: ReturnType<typeof aTopic>, ms: number) => {
      for (let passed = 0; passed < ms; passed += 100) {
        world.nowMs += 100;
        mock.timers.tick(100);
        for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      }
    };
    const START = new Map([
      [0, 0],
      [1, 0],
    ]);

    it('catches another workspace up after a few seconds', async () => {
      const aWorld = aTopic({ readyWithinMs: 5_000 });
      const { topic, add, subscriber, world } = aWorld;
      world.fetched = 20_000;
      const slow = Array.from({ length: 8 }, (_, n) => aSlowWorkspace(aWorld, `slow ${n}`));
      add(1, 'ninth');
      const ninth = subscriber('ninth');
      for (const one of [...slow, ninth]) void topic.join(one, START);
      await advance(aWorld, 4_000);
      expect([ninth.taken, slow.map(({ resets }) => resets())]).to.deep.equal([[], Array(8).fill(0)]);
      await advance(aWorld, 4_000);
      expect(ninth.taken).to.deep.equal(['1:0']);
      const reset = slow.filter(({ resets }) => resets() === 1);
      expect(reset).not.to.deep.equal([]);
      const taken = reset.map((one) => one.taken.length);
      await advance(aWorld, 10_000);
      expect(reset.map((one) => one.taken.length)).to.deep.equal(taken);
      await topic.close();
    });

    it('resets them after a minute if no other workspace waits', async () => {
      const aWorld = aTopic({ readyWithinMs: 5_000 });
      const { topic, world } = aWorld;
      world.fetched = 20_000;
      const slow = aSlowWorkspace(aWorld, 'slow');
      void topic.join(slow, START);
      await advance(aWorld, 59_000);
      expect(slow.resets()).to.equal(0);
      await advance(aWorld, 2_000);
      expect(slow.resets()).to.equal(1);
      await topic.close();
    });
  });

  describe('with events of an unknown type', () => {
    const START = new Map([
      [0, 0],
      [1, 0],
    ]);
    const event = { eventId: idFor('event', 'one'), occurredAt: NOON.toISOString(), workspaceId: 'one' };
    const value = frame(1, JSON.stringify(event));
    const fields = { timestamp: 0, value, headers: { ce_type: 'made.up' } };

    /** Resumes a stream behind 200 of them, two in a fetch, each of which takes 10 ms. */
    async function resume({ meanwhile = 0 } = {}) {
      const catalogue = fixedCatalogue();
      let reads = 0;
      const refresh = () => {
        reads += 1;
        return catalogue.refresh();
      };
      const { topic, add, subscriber, world } = aTopic({
        fields,
        readerOf: (time) => createEventReader({ catalogue: { ...catalogue, refresh }, ...time }),
      });
      world.onPastFetch = () => {
        world.nowMs += 10;
        if (world.fetches <= meanwhile) add(1, 'one');
      };
      add(0, ...Array.from({ length: 200 }, () => 'one'));
      const one = subscriber('one');
      await topic.join(one, START);
      await topic.close();
      return { reads, resets: one.resets(), ms: world.nowMs };
    }

    // Regression: the catalogue was read for each fetch, once a second, until the stream was reset after a minute.
    it('reads the catalogue once to catch a stream up', async () => {
      const { reads, resets, ms } = await resume();
      expect([reads, resets]).to.deep.equal([1, 0]);
      expect(ms).to.be.below(5_000);
    });

    it('reads it again for what is stored meanwhile, and not for each fetch of that', async () => {
      const { reads, resets, ms } = await resume({ meanwhile: 100 });
      expect(reads).to.be.within(2, 4);
      expect(resets).to.equal(0);
      expect(ms).to.be.below(5_000);
    });
  });

  it('reads nothing while there is no subscriber', async () => {
    const { topic, add, subscriber, world } = aTopic();
    expect(world.readers).to.equal(0);
    const one = subscriber('one');
    await topic.join(one, null);
    expect(world.readers).to.equal(1);
    topic.leave(one);
    await eventually(() => expect(world.readers).to.equal(0));
    add(0, 'one');
    const again = subscriber('one');
    await topic.join(again, null);
    add(0, 'one');
    await eventually(() => expect(again.taken).to.deep.equal(['0:1']));
    expect(one.taken).to.deep.equal([]);
    await topic.close();
  });
});
