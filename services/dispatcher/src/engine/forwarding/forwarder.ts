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
  /**
   * Calls `onForwarded` with those that the broker has stored, or that are left to their rows, as soon as that is known. Resolves
   * after the last of them; never rejects.
   */
  forward<One extends Forwarded>(all: readonly One[], onForwarded: OnForwarded<One>): Promise<void>;
  /**
   * Does the same with dead letters whose due time has passed again, after moving that due time.
   *
   * @returns those that were not published, because the database rejects the new due time
   */
  forwardAgain<Letter extends RepublishedDeadLetter>(
    again: readonly Letter[],
    onForwarded: OnForwarded<Letter>,
  ): Promise<readonly Letter[]>;
}

type OnForwarded<One> = (some: readonly One[]) => void;

/** A message to publish. */
export interface Forwarded {
  readonly queued: Queued;
}

/** A dead letter that is published again. */
export interface RepublishedDeadLetter extends Forwarded {
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
  const forward: Forwarder['forward'] = async (all, onForwarded) => {
    if (all.length === 0) return;
    if (leaves()) return onForwarded(all);
    let left = all;
    unpublished += left.length;
    const appended = (some: typeof all) => {
      unpublished -= some.length;
      onForwarded(some);
    };
    const enqueueLeft = async () => {
      try {
        await enqueue(left.map(({ queued }) => queued));
      } catch (error) {
        const divided = divideByAppended(left, error);
        left = divided.left;
        appended(divided.appended);
        throw error;
      }
    };
    await retryWhile(() => true, enqueueLeft, 'publishing retries and dead letters');
    appended(left);
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
    async forwardAgain(again, onForwarded) {
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
      const moved = again.filter((one) => !rejected.includes(one));
      await forward(moved, onForwarded);
      return rejected;
    },
  };
}
