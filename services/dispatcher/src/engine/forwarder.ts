import type { Log } from '@postrider/shared/ports/log';
import type { Enqueue, Queued } from '@postrider/shared/ports/queue';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { retry } from '@postrider/shared/runtime/retry';

/** Publishes the messages of next attempts and dead letters, retrying for as long as the broker is unavailable. */
export interface Forwarder {
  /** Resolves once the broker has stored all of them; never rejects. */
  forward(queued: readonly Queued[]): Promise<void>;
  /** Re-sends dead letters whose due time has passed, after postponing that due time. */
  forwardAgain(queued: readonly Queued[], dueAgain: Date): Promise<void>;
}

export interface ForwarderParts {
  readonly enqueue: Enqueue;
  readonly store: Pick<SettlementStore, 'postponeDeadLetter'>;
  readonly pause: (ms: number) => Promise<void>;
  readonly log: Log;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;

export function createForwarder({ enqueue, store, pause, log }: ForwarderParts): Forwarder {
  const retryForever = (task: () => Promise<void>, what: string): Promise<void> =>
    retry(task, {
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      onFailure: (err, _, pauseMs) =>
        log.warn({ event: 'forward.failed', err }, `${what} failed; trying again in ${pauseMs} ms`),
      pause,
    });
  const forward = async (queued: readonly Queued[]) => {
    if (queued.length > 0) await retryForever(() => enqueue(queued), 'publishing retries and dead letters');
  };
  return {
    forward,
    async forwardAgain(queued, dueAgain) {
      const ids = queued.map(({ message }) => message.deliveryId);
      await retryForever(() => store.postponeDeadLetter(ids, dueAgain), 'postponing dead letters');
      await forward(queued);
    },
  };
}
