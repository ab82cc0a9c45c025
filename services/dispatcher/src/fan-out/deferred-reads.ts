import type { Log } from '@postrider/shared/ports/log';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import type { Source } from '../offsets/open-offsets.js';
import type { EventPlace } from './backlogs.js';
import type { Next } from './next-in-turn.js';

interface DeferredReadsParts {
  readonly next: Next;
  /** Whether there may be one to read again. */
  readonly isAnyWaiting: () => boolean;
  /**
   * Removes an event that is not to be read again, and more of its workspace before an offset, but not all if they are many.
   *
   * @returns the offsets of those that it removed, ascending
   */
  readonly removeBefore: (place: EventPlace, offset: number) => readonly number[];
  /** Null if the partition is no longer known. */
  readonly topicOf: (partition: number) => string | null;
  /** Reads deferred events again, starting with the given one, and takes in those that have room. */
  readonly readAgain: (from: Source & EventPlace) => Promise<RepeatedRead>;
  /** Whether few events are open, so that reads need not wait until they bring more. */
  readonly isRoomy: () => boolean;
  /** Called for an event that is no longer stored. */
  readonly lost: (source: Source) => void;
  readonly isStopping: () => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

export interface RepeatedRead {
  /** From the event with which it began, nothing is stored before this offset; null if that event is stored. */
  readonly missingBefore: number | null;
  /** The fraction of its events that were taken in. */
  readonly taken: number;
}

/** Delay before a read, in milliseconds, in which more events end, so that the read brings more. */
const GATHER_MS = 10;
/** The same after a read that took in less than half of its events, while many events are open. */
const GATHER_MORE_MS = 40;
/** Maximum time that other partitions wait for a read, in milliseconds. */
const PATIENCE_MS = 2_000;
const REST = { firstMs: 200, longestMs: 2_000 };

/**
 * Returns a function that reads deferred events again while there is room, one partition after the other. Call it whenever room may
 * have become free. A partition that cannot be read rests, and the others continue.
 */
export function createDeferredReads(parts: DeferredReadsParts): () => void {
  const { isStopping, sleep, log } = parts;
  let isRunning = false;
  /** Partitions that are being read, or rest. */
  const busy = new Set<number>();
  /** The consecutive failed reads of each partition. */
  const failures = new Map<number, number>();
  const next = () => (isStopping() ? null : parts.next((partition) => !busy.has(partition)));
  const free = (partition: number) => {
    busy.delete(partition);
    readDeferred();
  };
  const rest = (source: Source, err: unknown) => {
    const { partition } = source;
    const failed = (failures.get(partition) ?? 0) + 1;
    failures.set(partition, failed);
    const restMs = doublingPauseMs(failed, REST);
    log.warn(
      { event: 'event.failed', ...source, err },
      `deferred events could not be read; trying again in ${restMs} ms`,
    );
    void sleep(restMs).then(() => free(partition));
  };
  const lose = (source: Source, offsets: readonly number[]) => {
    const lastOffset = offsets.at(-1);
    if (lastOffset === undefined) return;
    log.error(
      { event: 'event.lost', ...source, ...(offsets.length > 1 && { lastOffset, count: offsets.length }) },
      'expired at the broker before fan-out: publish the event again, and raise the retention of workspace.events',
    );
    for (const offset of offsets) parts.lost({ ...source, offset });
  };
  /** @returns how long to wait before the next read, in milliseconds */
  const read = async (place: EventPlace): Promise<number> => {
    const { partition, offset } = place;
    const topic = parts.topicOf(partition);
    if (topic === null) {
      parts.removeBefore(place, offset + 1);
      return 0;
    }
    const source = { topic, partition, offset };
    busy.add(partition);
    let done: RepeatedRead;
    try {
      done = await parts.readAgain({ ...place, topic });
    } catch (error) {
      rest(source, error);
      return 0;
    }
    failures.delete(partition);
    if (done.missingBefore !== null) lose(source, parts.removeBefore(place, done.missingBefore));
    free(partition);
    return done.taken < 1 / 2 && !parts.isRoomy() ? GATHER_MORE_MS : 0;
  };
  const run = async () => {
    isRunning = true;
    await sleep(GATHER_MS);
    for (let place = next(); place !== null; place = next()) {
      const waitMs = await Promise.race([read(place), sleep(PATIENCE_MS).then(() => 0)]);
      if (waitMs > 0) await sleep(waitMs);
    }
    isRunning = false;
  };
  const readDeferred = () => {
    if (!isRunning && parts.isAnyWaiting()) void run();
  };
  return readDeferred;
}
