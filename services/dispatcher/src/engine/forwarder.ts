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
const MAX_TASKS = 2;

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
  /** @returns whether the database has accepted them */
  const moveDueTimes = async (again: readonly RepublishedDeadLetter[]): Promise<boolean> => {
    const until = new Map(again.map(({ queued, dueAgain }) => [queued.message.deliveryId, dueAgain]));
    try {
      await retryWhile(
        isDatabaseAway,
        () => store.moveDueTimes(until),
        'moving the due times of dead letters',
      );
      return true;
    } catch (err) {
      log.warn(
        { event: 'forward.rejected', size: again.length, err },
        'the database rejects new due times of dead letters, which are tried one by one, and again after growing delays',
      );
      return false;
    }
  };
  return {
    forward,
    async forwardAgain(again) {
      const rejected = new Set<(typeof again)[number]>();
      if (!(await moveDueTimes(again)))
        for (const one of again) if (!(await moveDueTimes([one]))) rejected.add(one);
      await forward(again.filter((one) => !rejected.has(one)).map(({ queued }) => queued));
      return [...rejected];
    },
  };
}
