import type { Log } from '@postrider/shared/ports/log';
import { retry } from '@postrider/shared/runtime/retry';
import type { Source } from '../intake/open-offsets.js';
import type { Backlogs } from './backlogs.js';

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
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Returns a function that reads deferred events again while there is room. Call it whenever room may have become free.
 */
export function createDeferredReads(parts: DeferredReadsParts): () => void {
  const { backlogs, isStopping, pause, log } = parts;
  let isRunning = false;
  /** The event that is read now, for the log. */
  let reading: Source | null = null;
  const readNext = async (): Promise<void> => {
    const next = isStopping() ? null : backlogs.next();
    const topic = next && parts.topicOf(next.partition);
    if (next === null || topic === null) return;
    const source = { topic, partition: next.partition, offset: next.offset };
    reading = source;
    if (await parts.readAgain(source)) return;
    if (!backlogs.removeDeferred(next)) return;
    log.error(
      { event: 'event.lost', ...source },
      'an event expired at the broker before it was fanned out: publish it again, and raise the retention of workspace.events',
    );
    parts.lost(source);
  };
  const run = async () => {
    isRunning = true;
    await pause(GATHER_MS);
    while (!isStopping() && backlogs.next() !== null)
      await retry(readNext, {
        firstPauseMs: FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        onFailure: (err, _, pauseMs) =>
          log.warn(
            { event: 'event.failed', ...reading, err },
            `deferred events could not be read; trying again in ${pauseMs} ms`,
          ),
        pause,
      });
    isRunning = false;
  };
  return () => {
    if (!isRunning && backlogs.anyDeferred()) void run();
  };
}
