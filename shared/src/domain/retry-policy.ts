/** Automatic retries after the first attempt; then the delivery goes to the dead-letter queue (specification, section 8). */
export const MAX_RETRIES = 6;
export const MAX_ATTEMPTS = MAX_RETRIES + 1;
/** One step of the backoff in milliseconds; configurable for demos and tests. */
export const DEFAULT_RETRY_STEP_MS = 30_000;
/** How long the dead-letter consumer has to end a row before it is sent to the dead-letter topic again, in milliseconds. */
export const DEAD_LETTER_DUE_MS = 60_000;
const LONGEST_DEAD_LETTER_DUE_MS = 60 * 60_000;

/**
 * When a dead letter that is published again is due once more: as long from now as it has waited since its last attempt,
 * so that the topic does not fill while the dead-letter consumer is away. A minute at least, an hour at most.
 */
export function deadLetterDueAgain(lastAttemptAt: Date | null, now: Date): Date {
  const waited = lastAttemptAt === null ? 0 : now.getTime() - lastAttemptAt.getTime();
  const delay = Math.min(Math.max(waited, DEAD_LETTER_DUE_MS), LONGEST_DEAD_LETTER_DUE_MS);
  return new Date(now.getTime() + delay);
}

/**
 * How long to wait before the next attempt, in milliseconds: min(attempts, 6) × step.
 *
 * @param attempts HTTP attempts made so far, at least 1
 */
export function backoffMs(attempts: number, stepMs: number): number {
  return tierOf(attempts) * stepMs;
}

/** The delay tier, 1 to 6, of a delivery after its `attempts`-th failure. */
export function tierOf(attempts: number): number {
  return Math.min(attempts, MAX_RETRIES);
}
