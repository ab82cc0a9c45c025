import { expect } from 'chai';
import { parseThread, type ThreadUsage } from '#dev/processes/proc-files';
import { type ThreadedServer, type ThreadedUsage, type ThreadNames, timeOfThreads } from './thread-parts.js';

/** Lines of /proc/<pid>/task/<id>/stat up to the start, with the beginning of schedstat, as servers had them. */
const MONGOD = [
  '22094 (mongod) S 22065 22094 22094 0 -1 4194560 51838 0 6 0 59 4 0 0 20 0 64 0 4182598|646450000 9 9',
  '22136 (mongod) S 22065 22094 22094 0 -1 4194368 7300 0 0 0 16 2 0 0 20 0 64 0 4182757|183428437 9 9',
  '22140 (JournalFlusher) S 22065 22094 22094 0 -1 4194368 110 0 0 0 47 34 0 0 20 0 64 0 4182759|817546344 9 9',
  '22141 (Checkpointer) S 22065 22094 22094 0 -1 4194368 3 0 0 0 0 0 0 0 20 0 64 0 4182759|2372500 9 9',
  '22221 (OplogVi.yThread) S 22065 22094 22094 0 -1 4194368 3 0 0 0 4 20 0 0 20 0 64 0 4182784|247059000 9 9',
  '22300 (conn27) S 22065 22094 22094 0 -1 4194368 3 0 0 0 4 20 0 0 20 0 64 0 4182999|100000000 9 9',
  '22301 (conn128) S 22065 22094 22094 0 -1 4194368 3 0 0 0 4 20 0 0 20 0 64 0 4183000|200000000 9 9',
  '22180 (Timesta.Monitor) S 22065 22094 22094 0 -1 4194368 3 0 0 0 0 0 0 0 20 0 64 0 4182780|8051450 9 9',
];
const KAFKA = [
  '22112 (VM Thread) S 22065 22093 22093 0 -1 4194368 9 0 0 0 26 5 0 0 20 0 78 0 4182612|323772000 9 9',
  '22121 (C1 CompilerThre) S 22065 22093 22093 0 -1 4194368 2490 0 0 0 89 10 0 0 20 0 78 0 4182616|1000500000 9 9',
  '22212 (kafka-1-metadat) S 22065 22093 22093 0 -1 4194368 9 0 0 0 84 28 0 0 20 0 78 0 4182780|1127340000 9 9',
  '22259 (ExpirationReape) S 22065 22093 22093 0 -1 4194368 9 0 0 0 2 0 0 0 20 0 78 0 4182830|36355300 9 9',
  '22270 (group-coordinat) S 22065 22093 22093 0 -1 4194368 9 0 0 0 5 0 0 0 20 0 78 0 4182835|57091200 9 9',
  '22279 (data-plane-kafk) S 22065 22093 22093 0 -1 4194368 147 0 12 0 132 22 0 0 20 0 78 0 4182839|1545890932 9 9',
  '22289 (data-plane-kafk) S 22065 22093 22093 0 -1 4194368 58 0 0 0 108 42 0 0 20 0 78 0 4182864|1510980000 9 9',
  '22290 (data-plane-kafk) S 22065 22093 22093 0 -1 4194368 58 0 0 0 2 0 0 0 20 0 78 0 4182864|23950300 9 9',
  '22128 (metrics-meter-t) S 22065 22093 22093 0 -1 4194368 9 0 0 0 2 1 0 0 20 0 78 0 4182740|33976700 9 9',
];
const KAFKA_NAMES: ThreadNames = new Map([
  [22_279, 'data-plane-kafka-request-handler-1'],
  [22_289, 'data-plane-kafka-network-thread-1-PLAINTEXT-PLAINTEXT-1'],
  [22_290, 'data-plane-kafka-socket-acceptor-PLAINTEXT-PLAINTEXT-29277'],
  [22_121, 'C1 CompilerThread0'],
]);

function threadsOf(recorded: readonly string[]): ThreadUsage[] {
  return recorded.map((one) => {
    const [stat = '', schedstat = ''] = one.split('|');
    return parseThread(stat, schedstat)!;
  });
}

const sumOf = (threads: readonly ThreadUsage[]) =>
  threads.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
const usageOf = (threads: readonly ThreadUsage[], cpuSeconds = sumOf(threads)): ThreadedUsage => {
  return { threads, cpuSeconds };
};

describe('time of threads', () => {
  const nothing = usageOf([]);
  const times = (
    server: ThreadedServer,
    after: ThreadedUsage,
    before = nothing,
    names: ThreadNames = new Map(),
  ) =>
    Object.fromEntries(
      [...timeOfThreads(server, { before, after, names })]
        .map(([part, micros]) => [part, Math.round(micros)] as const)
        .filter(([, micros]) => micros > 0),
    );

  it('is that of the parts of MongoDB', () => {
    expect(times('mongod', usageOf(threadsOf(MONGOD)))).to.deep.equal({
      all: 2_204_908,
      connections: 300_000,
      journal: 817_546,
      'oplog visibility': 247_059,
      checkpoints: 2_373,
      WiredTiger: 829_878,
      'other threads': 8_051,
    });
  });

  const shared = {
    all: 5_659_856,
    'group coordinator': 57_091,
    'delayed requests': 36_355,
    controller: 1_127_340,
    compiler: 1_000_500,
    'garbage collector': 323_772,
    'other threads': 33_977,
  };

  it('is that of the parts of Kafka', () => {
    expect(times('kafka', usageOf(threadsOf(KAFKA)), nothing, KAFKA_NAMES)).to.deep.equal({
      ...shared,
      'network threads': 1_534_930,
      'request handlers': 1_545_891,
    });
  });

  it('shows threads of Kafka whose names begin alike as one part if only the beginning is known', () => {
    expect(times('kafka', usageOf(threadsOf(KAFKA)))).to.deep.equal({
      ...shared,
      'network and handlers': 3_080_821,
    });
  });

  const thread = (cpuSeconds: number, overrides: Partial<ThreadUsage> = {}): ThreadUsage => {
    return { id: 7, startedAtTick: 100, name: 'conn1', cpuSeconds, ...overrides };
  };

  it('is what was used between two moments, including all of a later thread', () => {
    const before = usageOf([thread(5)]);
    const after = usageOf([thread(6), thread(0.5, { id: 8 })]);
    expect(times('mongod', after, before)).to.deep.equal({ all: 1_500_000, connections: 1_500_000 });
  });

  it('shows what threads have used that ended meanwhile', () => {
    const before = usageOf([thread(5), thread(1, { id: 8 })], 10);
    expect(times('mongod', usageOf([thread(6)], 13), before)).to.deep.equal({
      all: 3_000_000,
      connections: 1_000_000,
      'ended threads': 2_000_000,
    });
  });

  it('is not mistaken if a new thread has the number of one that ended', () => {
    const before = usageOf([thread(5)], 5);
    const after = usageOf([thread(1, { startedAtTick: 200, name: 'JournalFlusher' })], 8);
    expect(times('mongod', after, before)).to.deep.equal({
      all: 3_000_000,
      journal: 1_000_000,
      'ended threads': 2_000_000,
    });
  });

  it('of ended threads is never negative, although the total is rounded', () => {
    expect(times('mongod', usageOf([thread(0.019)], 0.01))).to.deep.equal({
      all: 10_000,
      connections: 19_000,
    });
  });

  it('has the same parts in the same order, even if they took no time', () => {
    const parts = (after: ThreadedUsage) => [
      ...timeOfThreads('mongod', { before: nothing, after, names: new Map() }).keys(),
    ];
    expect(parts(nothing)).to.deep.equal(parts(usageOf(threadsOf(MONGOD))));
    expect(parts(nothing).slice(-2)).to.deep.equal(['other threads', 'ended threads']);
  });
});
