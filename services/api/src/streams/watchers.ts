import type { PartitionRecord, Positions } from '@postrider/shared/kafka/partition-reader';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import { detachedBytes, detachRecord } from './detached-record.js';
import { furthest, isPast } from './positions.js';
import { type ShownRecord, showRecord } from './shown-record.js';
import { slicesOf } from './slices.js';
import type { RecordReader } from './stream-record-readers.js';
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
   * after `readyWithinMs`. Workspaces do not wait for each other. Resolves when everything is given. Keeps copies of the records
   * that wait, and nothing else of `records`.
   *
   * @param before the positions before the first record
   */
  give(records: readonly PartitionRecord[], before: Positions): Promise<void>;
  /** The positions before which a subscriber has everything; null when it takes all records. */
  from(subscriber: Subscriber): Positions | null;
  /** Whether records of a workspace wait to be given. */
  isBehind(workspaceId: string): boolean;
  /** All subscribers may have missed records. */
  reset(): void;
}

/** Makes the id of a position in the streams of a workspace. */
export type IdOf = (workspaceId: string, positions: Positions) => string;

export interface WatchersParts {
  readonly records: RecordReader;
  readonly idOf: IdOf;
  /** How long to wait for a subscriber that is not ready, in milliseconds. */
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
/** While more waits, behind a fetch that is being given or for all workspaces, subscribers are not waited for. */
const WAITING_BUDGET = { maxBytesBehind: 8 * MIB, maxBytesOfAll: 32 * MIB };
/** What a position takes in memory. */
const POSITION_BYTES = 32;

/** Records of workspaces without a subscriber are not decoded. */
export function createWatchers({
  records: { workspaceOf, read },
  idOf,
  readyWithinMs,
}: WatchersParts): Watchers {
  const feeds = new Map<string, Feed>();
  const budget = createWaitingBudget(WAITING_BUDGET);

  const giveOne = ({ workspaceId, watching }: Feed, record: PartitionRecord, positions: Positions) => {
    const found = watching.size === 0 ? null : read(record);
    if (found === null) return;
    const together = showRecord(found, () => idOf(workspaceId, positions));
    for (const watcher of watching.values()) {
      if (record.offset < (watcher.from?.get(record.partition) ?? 0)) continue;
      if (watcher.from !== null && isPast(positions, watcher.from)) watcher.from = null;
      const { subscriber, from } = watcher;
      const alone = (own: Positions) => showRecord(found, () => idOf(workspaceId, furthest(positions, own)));
      subscriber.take(from === null ? together : alone(from));
    }
  };
  const giveSlice = (feed: Feed, slice: readonly PartitionRecord[], positions: Map<number, number>) => {
    for (const record of slice) {
      positions.set(record.partition, record.offset + 1);
      giveOne(feed, record, positions);
    }
  };
  /** Returns how many records were given. */
  const giveWhileReady = (feed: Feed, { records, positions }: Given): number => {
    let count = 0;
    for (const slice of slicesOf(records, SLICE)) {
      if (readinessOf(feed).length > 0) break;
      giveSlice(feed, slice, positions);
      count += slice.length;
    }
    return count;
  };
  const untilReady = async (feed: Feed) => {
    const waits = readinessOf(feed);
    if (waits.length === 0 || feed.waiting.isFull()) return;
    await waitAtMost(Promise.race([Promise.all(waits), feed.waiting.full()]), readyWithinMs);
  };
  const giveWaiting = async (feed: Feed, { records, positions }: Given) => {
    for (const slice of slicesOf(records, SLICE)) {
      await untilReady(feed);
      giveSlice(feed, slice, positions);
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
    return giveLater(feed, waitingOf(given.records.slice(count), given.positions));
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
    give(records, before) {
      const ofAll = Map.groupBy(records, (record) => workspaceOf(record) ?? '');
      const all = [...ofAll].map(([workspaceId, own]) => {
        const feed = feeds.get(workspaceId);
        return feed && giveOwn(feed, { records: own, positions: new Map(before) });
      });
      return Promise.all(all).then(() => {});
    },
    from: (subscriber) => feeds.get(subscriber.workspaceId)?.watching.get(subscriber)?.from ?? null,
    isBehind: (workspaceId) => feeds.get(workspaceId)?.waiting.isEmpty() === false,
    reset() {
      for (const { watching } of feeds.values()) {
        for (const watcher of watching.values()) {
          watcher.from = null;
          watcher.subscriber.reset();
        }
      }
    },
  };
}

/** Records of one workspace. */
interface Given {
  readonly records: readonly PartitionRecord[];
  /** The positions before the first record; they advance as the records are given. */
  readonly positions: Map<number, number>;
}

/** Detached records. */
interface Waiting extends Given {
  readonly bytes: number;
}

function waitingOf(records: readonly PartitionRecord[], positions: Map<number, number>): Waiting {
  const detached = records.map(detachRecord);
  const bytes = sum(detached.map(detachedBytes)) + positions.size * POSITION_BYTES;
  return { records: detached, positions, bytes };
}

function readinessOf({ watching }: Feed): readonly Promise<void>[] {
  return [...watching.keys()].flatMap((one) => one.readiness() ?? []);
}
