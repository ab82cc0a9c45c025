import { retry } from './retry.js';

interface RetryUntilOptions {
  /** Give up after this long, in milliseconds. */
  readonly forMs: number;
  readonly log: { warn(facts: object, sentence: string): void };
  /** Aborted when the process is to stop: the next failure is the last one then, and is not logged. */
  readonly stopping?: AbortSignal;
}

/** Retries until the attempt succeeds and logs each failure. @throws NotReachable when the time is up, or the reason of `stopping` */
export type Wait = <T>(what: string, attempt: () => Promise<T>) => Promise<T>;

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/** A dependency of the process did not become available in time. The cause is the last error. */
export class NotReachable extends Error {
  override readonly name = 'NotReachable';
}

/**
 * All calls of the returned function share one deadline, `forMs` from now. Each makes at least one attempt, so that a
 * dependency that is available is found even after the deadline.
 */
export function retryUntil({ forMs, log, stopping }: RetryUntilOptions): Wait {
  const until = performance.now() + forMs;
  return (what, attempt) =>
    retry(attempt, {
      firstPauseMs: FIRST_PAUSE_MS,
      longestPauseMs: LONGEST_PAUSE_MS,
      onFailure(error, _, pauseMs) {
        stopping?.throwIfAborted();
        const reason = error instanceof Error ? error.message : String(error);
        if (performance.now() + pauseMs > until) {
          throw new NotReachable(`${what}: gave up after ${Math.round(forMs / 1_000)} s: ${reason}`, {
            cause: error,
          });
        }
        log.warn({ event: 'waiting', reason }, `${what}; trying again in ${pauseMs} ms`);
      },
    });
}
