import type { Log } from '@postrider/shared/ports/log';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import type { Source } from '../intake/open-offsets.js';
import type { Backlogs, EventPlace } from './backlogs.js';

interface DeferredReadsParts {
  readonly backlogs: Pick<Backlogs, 'next' | 'anyDeferred' | 'removeDeferred'>;
  /** Null if nothing of the partition is known any more. */
  readonly topicOf: (partition: number) => string | null;
  /**
   * Reads deferred events again, from one on, and takes those that have room.
   *
   * @returns false if that one is not stored any more
   */
  readonly readAgain: (from: Source) => Promise<boolean>;
  /** Called for an event that is not stored any more. */
  readonly lost: (source: Source) => void;
  readonly isStopping: () => boolean;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** Time for more events to be done, so that a read brings more. */
const GATHER_MS = 10;
/** After so long other partitions no longer wait for a read. */
const PATIENCE_MS = 2_000;
const REST = { firstMs: 200, longestMs: 2_000 };

/**
 * Returns a function that reads deferred events again while there is room, one partition after the other. Call it whenever room may
 * have become free. A partition that cannot be read rests, and the others continue.
 */
export function createDeferredReads(parts: DeferredReadsParts): () => void {
  const { backlogs, isStopping, pause, log } = parts;
  let isRunning = false;
  /** Partitions that are being read, or rest. */
  const busy = new Set<number>();
  /** How often in a row a partition could not be read. */
  const failures = new Map<number, number>();
  const next = () => (isStopping() ? null : backlogs.next((partition) => !busy.has(partition)));
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
    void pause(restMs).then(() => free(partition));
  };
  const read = async (place: EventPlace): Promise<void> => {
    const { partition, offset } = place;
    const topic = parts.topicOf(partition);
    if (topic === null) return void backlogs.removeDeferred(place);
    const source = { topic, partition, offset };
    busy.add(partition);
    let isStored: boolean;
    try {
      isStored = await parts.readAgain(source);
    } catch (error) {
      return rest(source, error);
    }
    failures.delete(partition);
    if (!isStored && backlogs.removeDeferred(place)) {
      log.error(
        { event: 'event.lost', ...source },
        'an event expired at the broker before it was fanned out: publish it again, and raise the retention of workspace.events',
      );
      parts.lost(source);
    }
    free(partition);
  };
  const run = async () => {
    isRunning = true;
    await pause(GATHER_MS);
    for (let place = next(); place !== null; place = next())
      await Promise.race([read(place), pause(PATIENCE_MS)]);
    isRunning = false;
  };
  const readDeferred = () => {
    if (!isRunning && backlogs.anyDeferred()) void run();
  };
  return readDeferred;
}
