import type { Log } from '@postrider/shared/ports/log';
import { divideByAppended, type Enqueue, type Queued } from '@postrider/shared/ports/queue';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import { retry } from '@postrider/shared/runtime/retry';

/**
 * Publishes the messages of next attempts and dead letters, retrying while the broker is unavailable. While too many wait,
 * further ones are left to the due times of their rows, so that other endpoints do not wait for the broker.
 */
export interface Forwarder {
  /** Resolves once the broker has stored all of them, or they are left to their rows; never rejects. */
  forward(queued: readonly Queued[]): Promise<void>;
  /**
   * Publishes dead letters whose due time has passed again, after moving that due time.
   *
   * @returns those that were not published, because the database rejects the new due time
   */
  forwardAgain<Letter extends RepublishedDeadLetter>(again: readonly Letter[]): Promise<readonly Letter[]>;
}

/** A dead letter that is published again. */
export interface RepublishedDeadLetter {
  readonly queued: Queued;
  /** When its row is due again. */
  readonly dueAgain: Date;
}

interface ForwarderParts {
  readonly enqueue: Enqueue;
  readonly store: Pick<SettlementStore, 'moveDueTimes'>;
  /** Maximum number of messages that wait for the broker. */
  readonly maxUnpublished: number;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly sleep: (ms: number) => Promise<void>;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** Kinds of tasks whose failures are logged separately. */
const MAX_TASKS = 3;

export function createForwarder(parts: ForwarderParts): Forwarder {
  const { enqueue, store, maxUnpublished, isDatabaseAway, sleep, monotonicMs, log } = parts;
  /** Every batch that waits for the broker retries: log a failure once a minute. */
  const mayLog = createLogThrottle({ monotonicMs, maxKeys: MAX_TASKS });
  let unpublished = 0;
  let isLeaving = false;
  const retryWhile = (
    mayRetry: (error: unknown) => boolean,
    task: () => Promise<void>,
    what: string,
  ): Promise<void> =>
    retry(task, {
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      onFailure(err) {
        if (!mayRetry(err)) throw err;
        if (!mayLog(what)) return;
        log.warn(
          { event: 'forward.failed', unpublished, err },
          `${what} failed; it is tried again until it succeeds`,
        );
      },
      sleep,
    });
  /** Whether further messages are left to their rows. Logs when that begins. */
  const leaves = () => {
    if (unpublished < maxUnpublished) return false;
    if (!isLeaving)
      log.warn(
        { event: 'forward.left', unpublished },
        'too many messages wait for the broker: further ones are recovered from their rows',
      );
    isLeaving = true;
    return true;
  };
  const forward = async (queued: readonly Queued[]) => {
    if (queued.length === 0 || leaves()) return;
    let left = queued;
    unpublished += left.length;
    const enqueueLeft = async () => {
      try {
        await enqueue(left);
      } catch (error) {
        const divided = divideByAppended(left, error);
        left = divided.left;
        unpublished -= divided.appended.length;
        throw error;
      }
    };
    await retryWhile(() => true, enqueueLeft, 'publishing retries and dead letters');
    unpublished -= left.length;
    if (unpublished < maxUnpublished / 2) isLeaving = false;
  };
  const moveDueTimes = (again: readonly RepublishedDeadLetter[]): Promise<void> => {
    const until = new Map(again.map(({ queued, dueAgain }) => [queued.message.deliveryId, dueAgain]));
    return retryWhile(
      isDatabaseAway,
      () => store.moveDueTimes(until),
      'moving the due times of dead letters',
    );
  };
  /** @returns those that the database rejects */
  const moveSeparately = async <Letter extends RepublishedDeadLetter>(
    again: readonly Letter[],
  ): Promise<readonly Letter[]> => {
    if (again.length === 1) return again;
    const rejected: Letter[] = [];
    for (const one of again) await moveDueTimes([one]).catch(() => rejected.push(one));
    return rejected;
  };
  return {
    forward,
    async forwardAgain(again) {
      let rejected: typeof again = [];
      try {
        await moveDueTimes(again);
      } catch (err) {
        rejected = await moveSeparately(again);
        if (mayLog('rejected due times'))
          log.warn(
            { event: 'forward.rejected', size: rejected.length, err },
            'the database rejects new due times of dead letters: these are published again after growing delays',
          );
      }
      await forward(again.filter((one) => !rejected.includes(one)).map(({ queued }) => queued));
      return rejected;
    },
  };
}
