import type { PartitionRecord, Positions } from '@postrider/shared/kafka/partition-reader';
import { waitAtMost } from '@postrider/shared/runtime/with-timeout';
import { furthest, isPast } from './positions.js';
import { type ShownRecord, showRecord } from './shown-record.js';
import type { RecordReader } from './stream-record-readers.js';

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
   * after `readyWithinMs`. Workspaces do not wait for each other. Resolves when everything is given.
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
  readonly watching: Map<Subscriber, Watcher>;
  /** The size of the fetches that are not completely given. */
  waitingBytes: number;
  /** Settles when everything is given. */
  given: Promise<void>;
}

/** The size of a slice: what a subscriber that is ready takes at once. */
const SLICE_RECORDS = 50;
const SLICE_BYTES = 64 * 1024;
/** Beyond this many waiting bytes, the subscribers of a workspace are no longer waited for. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;

/** Records of workspaces without a subscriber are not decoded. */
export function createWatchers({
  records: { workspaceOf, read },
  idOf,
  readyWithinMs,
}: WatchersParts): Watchers {
  const feeds = new Map<string, Feed>();

  const giveOne = (workspaceId: string, feed: Feed, record: PartitionRecord, positions: Positions) => {
    const found = read(record);
    if (found === null) return;
    const together = showRecord(found, () => idOf(workspaceId, positions));
    for (const watcher of feed.watching.values()) {
      if (record.offset < (watcher.from?.get(record.partition) ?? 0)) continue;
      if (watcher.from !== null && isPast(positions, watcher.from)) watcher.from = null;
      const { subscriber, from } = watcher;
      const alone = (own: Positions) => showRecord(found, () => idOf(workspaceId, furthest(positions, own)));
      subscriber.take(from === null ? together : alone(from));
    }
  };
  const untilReady = async ({ watching, waitingBytes }: Feed) => {
    const waits = [...watching.keys()].flatMap((one) => one.readiness() ?? []);
    if (waits.length === 0 || waitingBytes > MAX_WAITING_BYTES) return;
    await waitAtMost(Promise.all(waits), readyWithinMs);
  };
  const giveAll = async (workspaceId: string, feed: Feed, { records, before }: Given) => {
    const positions = new Map(before);
    for (const slice of slicesOf(records)) {
      await untilReady(feed);
      // The last subscriber has left.
      if (feed.watching.size === 0) return;
      for (const record of slice) {
        positions.set(record.partition, record.offset + 1);
        giveOne(workspaceId, feed, record, positions);
      }
    }
  };

  return {
    add(watcher) {
      const { workspaceId } = watcher.subscriber;
      const feed = feeds.get(workspaceId) ?? {
        watching: new Map(),
        waitingBytes: 0,
        given: Promise.resolve(),
      };
      feed.watching.set(watcher.subscriber, watcher);
      feeds.set(workspaceId, feed);
    },
    remove(subscriber) {
      const feed = feeds.get(subscriber.workspaceId);
      feed?.watching.delete(subscriber);
      if (feed?.watching.size === 0) feeds.delete(subscriber.workspaceId);
    },
    async give(records, before) {
      const watched = Map.groupBy(records, (record) => workspaceOf(record) ?? '');
      const all: Promise<void>[] = [];
      for (const [workspaceId, own] of watched) {
        const feed = feeds.get(workspaceId);
        if (feed === undefined) continue;
        const bytes = bytesOf(own);
        feed.waitingBytes += bytes;
        const giving = feed.given
          .then(() => giveAll(workspaceId, feed, { records: own, before }))
          .finally(() => {
            feed.waitingBytes -= bytes;
          });
        feed.given = giving.catch(() => {});
        all.push(giving);
      }
      await Promise.all(all);
    },
    from: (subscriber) => feeds.get(subscriber.workspaceId)?.watching.get(subscriber)?.from ?? null,
    isBehind: (workspaceId) => (feeds.get(workspaceId)?.waitingBytes ?? 0) > 0,
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

interface Given {
  readonly records: readonly PartitionRecord[];
  readonly before: Positions;
}

function* slicesOf(records: readonly PartitionRecord[]): Generator<readonly PartitionRecord[]> {
  let slice: PartitionRecord[] = [];
  let bytes = 0;
  for (const record of records) {
    slice.push(record);
    bytes += sizeOf(record);
    if (slice.length < SLICE_RECORDS && bytes < SLICE_BYTES) continue;
    yield slice;
    slice = [];
    bytes = 0;
  }
  if (slice.length > 0) yield slice;
}

function bytesOf(records: readonly PartitionRecord[]): number {
  return records.reduce((bytes, record) => bytes + sizeOf(record), 0);
}

/** At least one byte, so that records without a value count as waiting. */
function sizeOf({ value }: PartitionRecord): number {
  return (value?.length ?? 0) + 1;
}
