import {
  type PartitionReader,
  PositionLost,
  type Positions,
  UNKNOWN,
} from '@postrider/shared/kafka/partition-reader';
import type { Log } from '@postrider/shared/ports/log';
import { createCatchUp } from './catch-up.js';
import { furthest, withAdded } from './positions.js';
import type { RecordReader } from './stream-record-readers.js';
import { createWatchers, type IdOf, type Subscriber, type Watcher } from './watchers.js';

/** Reads a topic for all streams of a process, while there are any. */
export interface LiveTopic {
  /**
   * Adds a subscriber, once it has got what was stored after `from`.
   *
   * @param from null to begin with the records stored from now on
   */
  join(subscriber: Subscriber, from: Positions | null): Promise<void>;
  leave(subscriber: Subscriber): void;
  /**
   * The positions after everything that a subscriber was given, here or before it resumed; null while records wait for its
   * workspace.
   */
  positions(subscriber: Subscriber): Positions | null;
  close(): Promise<void>;
}

interface LiveTopicParts {
  /** @param maxBytes the maximum size of one fetch */
  readonly connect: (maxBytes: number) => Promise<PartitionReader>;
  readonly records: RecordReader;
  readonly idOf: IdOf;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly monotonicMs: () => number;
  readonly log: Log;
  /** How long to wait for a subscriber that is not ready, in milliseconds. */
  readonly readyWithinMs: number;
}

/** Reading, from the first subscriber to the last one. */
interface Session {
  readonly reader: PartitionReader;
  positions: Positions;
}

const WAIT_MS = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;
const AFTER_FAILURE_MS = 1_000;

export function createLiveTopic(parts: LiveTopicParts): LiveTopic {
  const { connect, sleep, log } = parts;
  const live = createWatchers(parts);
  const members = new Set<Subscriber>();
  let session: Promise<Session> | null = null;
  let current: Session | null = null;

  const resetAll = async (to: Session) => {
    to.positions = await to.reader.ends();
    live.reset();
  };
  /** Partitions that have a leader by now are read from where their subscribers need them. */
  const beginUnknown = (before: Positions, after: Positions): Positions =>
    new Map(
      [...after].map(([partition, offset]) => {
        const hasEnd = before.get(partition) === UNKNOWN && offset !== UNKNOWN;
        return [partition, hasEnd ? live.begin(partition, offset) : offset];
      }),
    );
  const onUnread = (err: unknown) =>
    log.warn({ event: 'stream.read_failed', err }, 'the topic of a stream could not be read; trying again');
  const readOnce = async (one: Session) => {
    try {
      const fetched = await one.reader.fetch(one.positions, WAIT_MS);
      live.give(fetched.records, one.positions).catch(onUnread);
      one.positions = withAdded(beginUnknown(one.positions, fetched.positions), one.reader.partitions());
    } catch (err) {
      if (session === null) return;
      onUnread(err);
      await sleep(AFTER_FAILURE_MS);
      if (err instanceof PositionLost) await resetAll(one).catch(() => {});
    }
  };
  const run = async (one: Session) => {
    while (current === one && members.size > 0) await readOnce(one);
    if (current === one) stop();
    await one.reader.close().catch(() => {});
  };
  const stop = () => {
    session = null;
    current = null;
  };
  const start = async (): Promise<Session> => {
    const reader = await connect(MAX_BYTES);
    const positions = await reader.ends().catch(async (error: unknown) => {
      await reader.close().catch(() => {});
      throw error;
    });
    const one = { reader, positions };
    current = one;
    void run(one);
    return one;
  };
  const needSession = (): Promise<Session> => {
    session ??= start().catch((err: unknown) => {
      stop();
      log.warn({ event: 'stream.connect_failed', err }, 'the topic of a stream could not be connected');
      throw err;
    });
    return session;
  };
  const catchUp = createCatchUp({
    ...parts,
    needLive: needSession,
    isMember: (subscriber) => members.has(subscriber),
    onCaughtUp(watcher) {
      if (members.has(watcher.subscriber)) live.add(watcher);
    },
  });

  return {
    async join(subscriber, from) {
      members.add(subscriber);
      const watcher: Watcher = { subscriber, from };
      if (from !== null) return catchUp({ watcher, from });
      // Records that still wait to be given are older.
      watcher.from = (await needSession()).positions;
      if (members.has(subscriber)) live.add(watcher);
    },
    leave(subscriber) {
      members.delete(subscriber);
      live.remove(subscriber);
    },
    positions(subscriber) {
      if (current === null || live.isBehind(subscriber.workspaceId)) return null;
      // The process that a subscriber comes from may have read more than this one.
      const from = live.from(subscriber);
      return from === null ? current.positions : furthest(current.positions, from);
    },
    async close() {
      const one = current;
      members.clear();
      stop();
      await one?.reader.close().catch(() => {});
    },
  };
}
