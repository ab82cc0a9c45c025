import { type PartitionRecord, type Positions, UNKNOWN } from '@postrider/shared/kafka/partition-reader';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import type { StreamRecord } from '../domain/stream-query.js';
import { detachedBytes, detachRecord } from './detached-record.js';
import { furthest, isPast } from './positions.js';
import { type ShownRecord, showRecord } from './shown-record.js';
import { slicesOf } from './slices.js';
import type { Reading, RecordReader } from './stream-record-readers.js';
import { sum } from './sum.js';
import { createWaitingBudget, type WaitingQueue } from './waiting-budget.js';

/** Gets the records of one workspace. */
export interface Subscriber {
  readonly workspaceId: string;
  take(shown: ShownRecord): void;
  /** Resolves once it can take another slice, or no longer takes any; null if it can at once. */
  readiness(): Promise<void> | null;
  /** Records may have been missed. */
  reset(): void;
}

/** A subscriber, and the positions before which it has everything. */
export interface Watcher {
  readonly subscriber: Subscriber;
  /** Null when it takes all records. */
  from: Positions | null;
}

/** Subscribers by workspace. */
export interface Watchers {
  add(watcher: Watcher): void;
  remove(subscriber: Subscriber): void;
  /**
   * Gives records to the subscribers of their workspaces, in slices: the next slice follows once all of a workspace are ready, or
   * after `readyWithinMs`. A record that newer definitions may be needed for waits for them as long, and those of its workspace
   * behind it do, too. Workspaces do not wait for each other. Resolves when everything is given. Keeps copies of the records
   * that wait, and nothing else of `records`.
   *
   * @param before the positions before the first record
   * @param receivedAt by default all were received just now
   */
  give(records: readonly PartitionRecord[], before: Positions, receivedAt?: ReceivedAt): Promise<void>;
  /** The positions before which a subscriber has everything; null when it takes all records. */
  from(subscriber: Subscriber): Positions | null;
  /** Whether records of a workspace wait to be given. */
  isBehind(workspaceId: string): boolean;
  /**
   * Called once the end of a partition is known that had no leader. Subscribers without a position in it begin at its end and are
   * reset, because records may have been stored before. So are those that are past it. Returns the position from which to read,
   * so that the others miss nothing.
   */
  begin(partition: number, end: number): number;
  /** All subscribers may have missed records. */
  reset(): void;
}

/** When a record was stored at the latest, by the monotonic clock. */
export type ReceivedAt = (record: PartitionRecord) => number;

/** Makes the id of a position in the streams of a workspace. */
export type IdOf = (workspaceId: string, positions: Positions) => string;

export interface WatchersParts {
  readonly records: RecordReader;
  readonly idOf: IdOf;
  readonly monotonicMs: () => number;
  /** How long to wait for a subscriber that is not ready, or for newer definitions, in milliseconds. */
  readonly readyWithinMs: number;
}

/** The subscribers of a workspace, and the records that wait for them. */
interface Feed {
  readonly workspaceId: string;
  readonly watching: Map<Subscriber, Watcher>;
  /** What waits of fetches that are not completely given. */
  readonly waiting: WaitingQueue;
  /** Settles when everything is given. */
  given: Promise<void>;
}

/** The size of a slice: what a subscriber that is ready takes at once. */
const SLICE = {
  count: 50,
  bytes: 64 * 1024,
  sizeOf: ({ value }: PartitionRecord) => value?.length ?? 0,
};
const MIB = 1024 * 1024;
/** While more waits, behind a fetch that is being given or for all workspaces, neither subscribers nor definitions are waited for. */
const WAITING_BUDGET = { maxBytesBehind: 8 * MIB, maxBytesOfAll: 32 * MIB };
/** What a position takes in memory. */
const POSITION_BYTES = 32;
const UNREAD: Reading = { shown: null, refresh: null };

/** Records of workspaces without a subscriber are not decoded. */
export function createWatchers({
  records: { workspaceOf, read },
  idOf,
  monotonicMs,
  readyWithinMs,
}: WatchersParts): Watchers {
  const feeds = new Map<string, Feed>();
  const budget = createWaitingBudget(WAITING_BUDGET);
  const allWatchers = () => [...feeds.values()].flatMap(({ watching }) => [...watching.values()]);

  const readFor = ({ watching }: Feed, record: PartitionRecord, receivedAt: ReceivedAt): Reading =>
    watching.size === 0 ? UNREAD : read(record, receivedAt(record));
  const giveOne = (
    { workspaceId, watching }: Feed,
    { record, shown }: Read,
    positions: Map<number, number>,
  ) => {
    positions.set(record.partition, record.offset + 1);
    if (shown === null) return;
    const together = showRecord(shown, () => idOf(workspaceId, positions));
    for (const watcher of watching.values()) {
      if (record.offset < (watcher.from?.get(record.partition) ?? 0)) continue;
      if (watcher.from !== null && isPast(positions, watcher.from)) watcher.from = null;
      const { subscriber, from } = watcher;
      const alone = (own: Positions) => showRecord(shown, () => idOf(workspaceId, furthest(positions, own)));
      subscriber.take(from === null ? together : alone(from));
    }
  };
  /** Returns how many records were given: all, or those before the first one that waits for newer definitions. */
  const giveUntilWait = (feed: Feed, slice: readonly PartitionRecord[], given: Given): number => {
    for (const [count, record] of slice.entries()) {
      const { shown, refresh } = readFor(feed, record, given.receivedAt);
      if (refresh !== null) return count;
      giveOne(feed, { record, shown }, given.positions);
    }
    return slice.length;
  };
  /** Returns how many records were given. */
  const giveWhileReady = (feed: Feed, given: Given): number => {
    let count = 0;
    for (const slice of slicesOf(given.records, SLICE)) {
      if (readinessOf(feed).length > 0) break;
      const ofSlice = giveUntilWait(feed, slice, given);
      count += ofSlice;
      if (ofSlice < slice.length) break;
    }
    return count;
  };
  const untilReady = async (feed: Feed) => {
    const waits = readinessOf(feed);
    if (waits.length === 0 || feed.waiting.isFull()) return;
    await waitAtMost(Promise.race([Promise.all(waits), feed.waiting.full()]), readyWithinMs);
  };
  const untilRefreshed = async (feed: Feed, refresh: () => Promise<void>) => {
    if (feed.waiting.isFull()) return;
    await waitAtMost(Promise.race([refresh(), feed.waiting.full()]), readyWithinMs);
  };
  const giveWaiting = async (feed: Feed, given: Given) => {
    const { records, positions, receivedAt } = given;
    for (const slice of slicesOf(records, SLICE)) {
      await untilReady(feed);
      for (const record of slice) {
        const { shown, refresh } = readFor(feed, record, receivedAt);
        if (refresh === null) giveOne(feed, { record, shown }, positions);
        else {
          await untilRefreshed(feed, refresh);
          giveOne(feed, { record, shown: readFor(feed, record, receivedAt).shown }, positions);
        }
      }
    }
  };
  const giveLater = (feed: Feed, { bytes, ...given }: Waiting): Promise<void> => {
    feed.waiting.add(bytes);
    const giving = feed.given.then(() => giveWaiting(feed, given)).finally(() => feed.waiting.shift());
    feed.given = giving.catch(() => {});
    return giving;
  };
  /** Waits for nothing itself: a function that waits keeps its variables, here all records of a fetch. */
  const giveOwn = async (feed: Feed, given: Given): Promise<void> => {
    const count = feed.waiting.isEmpty() ? giveWhileReady(feed, given) : 0;
    if (count === given.records.length) return;
    return giveLater(feed, waitingOf(given, count));
  };

  return {
    add(watcher) {
      const { workspaceId } = watcher.subscriber;
      const feed = feeds.get(workspaceId) ?? {
        workspaceId,
        watching: new Map(),
        waiting: budget.open(),
        given: Promise.resolve(),
      };
      feed.watching.set(watcher.subscriber, watcher);
      feeds.set(workspaceId, feed);
    },
    remove(subscriber) {
      const feed = feeds.get(subscriber.workspaceId);
      if (!feed?.watching.delete(subscriber) || feed.watching.size > 0) return;
      feeds.delete(subscriber.workspaceId);
      feed.waiting.close();
    },
    give(records, before, receivedAt = always(monotonicMs())) {
      const ofAll = Map.groupBy(records, (record) => workspaceOf(record) ?? '');
      const all = [...ofAll].map(([workspaceId, own]) => {
        const feed = feeds.get(workspaceId);
        return feed && giveOwn(feed, { records: own, positions: new Map(before), receivedAt });
      });
      return Promise.all(all).then(() => {});
    },
    from: (subscriber) => feeds.get(subscriber.workspaceId)?.watching.get(subscriber)?.from ?? null,
    begin(partition, end) {
      let first = end;
      for (const watcher of allWatchers()) {
        const own = watcher.from?.get(partition) ?? UNKNOWN;
        if (own !== UNKNOWN && own <= end) first = Math.min(first, own);
        else {
          watcher.from = new Map([...(watcher.from ?? []), [partition, end]]);
          watcher.subscriber.reset();
        }
      }
      return first;
    },
    isBehind: (workspaceId) => feeds.get(workspaceId)?.waiting.isEmpty() === false,
    reset() {
      for (const watcher of allWatchers()) {
        watcher.from = null;
        watcher.subscriber.reset();
      }
    },
  };
}

/** Records of one workspace. */
interface Given {
  readonly records: readonly PartitionRecord[];
  /** The positions before the first record; they advance as the records are given. */
  readonly positions: Map<number, number>;
  readonly receivedAt: ReceivedAt;
}

/** A record, and what streams show of it. */
interface Read {
  readonly record: PartitionRecord;
  readonly shown: StreamRecord | null;
}

/** Detached records. */
interface Waiting extends Given {
  readonly bytes: number;
}

function always(time: number): ReceivedAt {
  return () => time;
}

function waitingOf({ records, positions, receivedAt }: Given, from: number): Waiting {
  const detached = records.slice(from).map(detachRecord);
  const bytes = sum(detached.map(detachedBytes)) + positions.size * POSITION_BYTES;
  return { records: detached, positions, receivedAt, bytes };
}

function readinessOf({ watching }: Feed): readonly Promise<void>[] {
  return [...watching.keys()].flatMap((one) => one.readiness() ?? []);
}
