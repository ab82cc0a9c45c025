import { type PartitionReader, PositionLost, type Positions } from '@postrider/shared/kafka/partition-reader';
import type { Log } from '@postrider/shared/ports/log';
import { coalesce } from '@postrider/shared/runtime/coalesce';
import { behind, earliest, furthest } from './positions.js';
import type { RecordReader } from './read-record.js';
import { createWatchers, type IdOf, type Subscriber, type Watcher } from './watchers.js';

/** Reads a topic for all streams of a process, while there are any. */
export interface LiveTopic {
  /**
   * Adds a subscriber, after it got what was stored behind `from`.
   *
   * @param from null to begin with what is stored from now on
   */
  join(subscriber: Subscriber, from: Positions | null): Promise<void>;
  leave(subscriber: Subscriber): void;
  /** The positions behind everything that was given to the subscribers of a workspace; null while they are behind. */
  positions(workspaceId: string): Positions | null;
  close(): Promise<void>;
}

interface LiveTopicParts {
  readonly connect: () => Promise<PartitionReader>;
  readonly records: RecordReader;
  readonly idOf: IdOf;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly log: Log;
  /** How long a subscriber that is not ready is waited for. */
  readonly readyWithinMs: number;
}

/** Reading, from the first subscriber to the last one. */
interface Session {
  readonly reader: PartitionReader;
  positions: Positions;
}

interface Joining {
  readonly watcher: Watcher;
  readonly from: Positions;
}

const WAIT_MS = 1_000;
const CATCH_UP_WAIT_MS = 100;
const AFTER_FAILURE_MS = 1_000;

export function createLiveTopic(parts: LiveTopicParts): LiveTopic {
  const { connect, pause, log } = parts;
  const live = createWatchers(parts);
  const members = new Set<Subscriber>();
  let session: Promise<Session> | null = null;
  let current: Session | null = null;

  const resetAll = async (to: Session) => {
    to.positions = await to.reader.ends();
    live.reset();
  };
  const onUnread = (err: unknown) =>
    log.warn({ event: 'stream.read_failed', err }, 'the topic of a stream could not be read; trying again');
  const readOnce = async (one: Session) => {
    try {
      const fetched = await one.reader.fetch(one.positions, WAIT_MS);
      live.give(fetched.records, one.positions).catch(onUnread);
      one.positions = fetched.positions;
    } catch (err) {
      if (session === null) return;
      onUnread(err);
      await pause(AFTER_FAILURE_MS);
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
    const reader = await connect();
    const one = { reader, positions: await reader.ends() };
    current = one;
    void run(one);
    return one;
  };
  const needSession = (): Promise<Session> => {
    session ??= start().catch((error: unknown) => {
      stop();
      throw error;
    });
    return session;
  };
  /** All that join at the same time are given what they have missed in one pass. */
  const catchUp = coalesce(async (joining: readonly Joining[]) => {
    const one = await needSession();
    const reader = await connect();
    try {
      await readMissed(reader, one, joining);
    } finally {
      await reader.close().catch(() => {});
    }
  });
  const readMissed = async (reader: PartitionReader, one: Session, joining: readonly Joining[]) => {
    const past = createWatchers(parts);
    for (const { watcher, from } of joining) {
      // Partitions that it does not name were added later: they begin with what is stored from now on.
      watcher.from = new Map([...one.positions, ...from]);
      past.add(watcher);
    }
    let at = earliest(
      joining.map(({ from }) => from),
      one.positions,
    );
    try {
      for (let missing = behind(at, one.positions); missing.size > 0; missing = behind(at, one.positions)) {
        const fetched = await reader.fetch(missing, CATCH_UP_WAIT_MS);
        await past.give(fetched.records, at);
        at = new Map([...at, ...fetched.positions]);
      }
      for (const { watcher } of joining) watcher.from = furthest(at, watcher.from ?? at);
    } catch (error) {
      if (!(error instanceof PositionLost)) throw error;
      for (const { watcher } of joining) {
        watcher.from = null;
        watcher.subscriber.reset();
      }
    }
    // At once, so that nothing is read in between.
    for (const { watcher } of joining) if (members.has(watcher.subscriber)) live.add(watcher);
  };

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
    positions: (workspaceId) => (live.isBehind(workspaceId) ? null : (current?.positions ?? null)),
    async close() {
      const one = current;
      members.clear();
      stop();
      await one?.reader.close().catch(() => {});
    },
  };
}
