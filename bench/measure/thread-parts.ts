import type { ThreadUsage } from '#dev/processes/proc-files';

/** The CPU time of a process and of its threads so far. */
export interface ThreadedUsage {
  readonly cpuSeconds: number;
  readonly threads: readonly ThreadUsage[];
}

/** Complete names of threads by their numbers; empty if they are unknown. */
export type ThreadNames = ReadonlyMap<number, string>;

/** Parts of a process, each with the names of its threads. The first match counts. */
type Parts = readonly (readonly [part: string, pattern: RegExp])[];

/** MongoDB shortens names to their beginning and end. */
const MONGOD: Parts = [
  ['connections', /^conn\d+$/],
  ['journal', /^JournalFlusher$/],
  ['oplog visibility', /^OplogVi\.yThread$/],
  ['checkpoints', /^Checkpointer$/],
  // WiredTiger's own threads have the name of the process, as the main thread has, which only waits.
  ['WiredTiger', /^(mongod|WTIdleS\.Sweeper)$/],
];

/** The system shortens names to 15 characters. These patterns also match what is left of them. */
const KAFKA_CUT: Parts = [
  ['group coordinator', /^group-coordinat/],
  ['delayed requests', /^(ExpirationReape|executor-)/],
  ['controller', /^(quorum-controll|kafka-\d+-(raft|metadat|snapsho)|controller-|broker-)/],
  ['compiler', /^(C[12] CompilerThre|Sweeper)/],
  ['garbage collector', /^(VM Thread|GC Thread|G1 )/],
];
const KAFKA: Parts = [
  ['network threads', /^data-plane-kafka-(network|socket)/],
  ['request handlers', /^data-plane-kafka-request/],
  ...KAFKA_CUT,
];
const KAFKA_WITHOUT_NAMES: Parts = [['network and handlers', /^data-plane-kafk$/], ...KAFKA_CUT];

const ALL = 'all';
const OTHERS = 'other threads';
const ENDED = 'ended threads';

/** The servers whose threads have parts. */
export const THREADED_SERVERS = ['mongod', 'kafka'] as const;
export type ThreadedServer = (typeof THREADED_SERVERS)[number];

/** The usage at two moments. */
export interface ThreadedSpan {
  readonly before: ThreadedUsage;
  readonly after: ThreadedUsage;
  readonly names: ThreadNames;
}

/** Microseconds of CPU of all threads of a server, of each part of them, and of those that have ended meanwhile. */
export function timeOfThreads(
  server: ThreadedServer,
  { before, after, names }: ThreadedSpan,
): ReadonlyMap<string, number> {
  const parts = partsOf(server, names);
  const all = (after.cpuSeconds - before.cpuSeconds) * 1e6;
  const times = new Map([ALL, ...parts.map(([part]) => part), OTHERS].map((part) => [part, 0]));
  let remaining = all;
  for (const { thread, micros } of usedBetween(before.threads, after.threads)) {
    const name = names.get(thread.id) ?? thread.name;
    const part = parts.find(([, pattern]) => pattern.test(name))?.[0] ?? OTHERS;
    times.set(part, (times.get(part) ?? 0) + micros);
    remaining -= micros;
  }
  // The total is known to hundredths of a second, and may be less than the sum of the threads.
  return times.set(ALL, all).set(ENDED, Math.max(0, remaining));
}

function partsOf(server: ThreadedServer, names: ThreadNames): Parts {
  switch (server) {
    case 'mongod':
      return MONGOD;
    case 'kafka':
      return names.size > 0 ? KAFKA : KAFKA_WITHOUT_NAMES;
  }
}

/** The threads that still exist. One that was not there before has used all its time since. */
function usedBetween(before: readonly ThreadUsage[], after: readonly ThreadUsage[]) {
  const keyOf = ({ id, startedAtTick }: ThreadUsage) => `${id} ${startedAtTick}`;
  const earlier = new Map(before.map((thread) => [keyOf(thread), thread.cpuSeconds]));
  return after.map((thread) => {
    return { thread, micros: (thread.cpuSeconds - (earlier.get(keyOf(thread)) ?? 0)) * 1e6 };
  });
}
