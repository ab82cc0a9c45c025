/** Maximum number of automatic retries; after them the delivery goes to the dead-letter queue (specification, section 8). */
export const MAX_RETRIES = 6;
export const MAX_ATTEMPTS = MAX_RETRIES + 1;
/** Maximum number of records of a delivery: its attempts, and the bookkeeping that may end it. */
export const MAX_RECORDS = MAX_ATTEMPTS + 1;
/** The retry step: one step of the backoff, in milliseconds; configurable for demos and tests. */
export const DEFAULT_RETRY_STEP_MS = 30_000;
/** How long the dead-letter consumer has to end a row before it is sent to the dead-letter topic again, in milliseconds. */
export const DEAD_LETTER_DUE_MS = 60_000;
const LONGEST_DUE_AGAIN_MS = 60 * 60_000;

/**
 * When a row is due once more after a step that may have to be repeated many times: a dead letter that is published again
 * while the dead-letter consumer is away, or an attempt that cannot be recorded. As long from now as it has waited `since`
 * its last attempt or its creation, so the delays double: a minute at least, an hour at most.
 */
export function dueAgain(since: Date | null, now: Date): Date {
  const waited = since === null ? 0 : now.getTime() - since.getTime();
  const delay = Math.min(Math.max(waited, DEAD_LETTER_DUE_MS), LONGEST_DUE_AGAIN_MS);
  return new Date(now.getTime() + delay);
}

/**
 * How long to wait before the next attempt, in milliseconds: min(attempts, 6) × retry step.
 *
 * @param attempts HTTP attempts made so far, at least 1
 */
export function backoffMs(attempts: number, retryStepMs: number): number {
  return tierOf(attempts) * retryStepMs;
}

/** The delay tier, 1 to 6, of a delivery after its `attempts`-th failure. */
export function tierOf(attempts: number): number {
  return Math.min(attempts, MAX_RETRIES);
}
