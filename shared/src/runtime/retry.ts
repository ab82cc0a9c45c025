/** How a task is retried: the pauses between attempts double from the first to the longest. */
export interface RetryPolicy {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Called after each failed attempt and before its pause. Throws to give up. */
  readonly onFailure: (error: unknown, attempt: FailedAttempt) => void | Promise<void>;
  readonly pause?: (ms: number) => Promise<void>;
}

export interface FailedAttempt {
  /** Failed attempts so far, this one included. */
  readonly failures: number;
  /** The pause that follows. */
  readonly pauseMs: number;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Runs a task until it succeeds. @param task receives the number of attempts that have failed before */
export async function retry<T>(
  task: (failures: number) => Promise<T>,
  { firstPauseMs, longestPauseMs, onFailure, pause = sleep }: RetryPolicy,
): Promise<T> {
  let pauseMs = firstPauseMs;
  for (let failures = 0; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await task(failures);
    } catch (error) {
      failures += 1;
      await onFailure(error, { failures, pauseMs });
    }
    await pause(pauseMs);
  }
}
