import { doublingPauseMs } from './doubling-pause.js';
import { sleep as sleepByTimer } from './sleep.js';

/** How a task is retried: the pauses between attempts double from the first to the longest. */
interface RetryPolicy {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Called before each pause with the number of failures so far. Throws to give up. */
  readonly onFailure: (error: unknown, failures: number, pauseMs: number) => void | Promise<void>;
  readonly sleep?: (ms: number) => Promise<void>;
}

/** Runs a task until it succeeds. @param task receives the number of attempts that have failed before */
export async function retry<T>(
  task: (failures: number) => Promise<T>,
  { firstPauseMs, longestPauseMs, onFailure, sleep = sleepByTimer }: RetryPolicy,
): Promise<T> {
  for (let failures = 0; ; ) {
    try {
      return await task(failures);
    } catch (error) {
      failures += 1;
      const pauseMs = doublingPauseMs(failures, { firstMs: firstPauseMs, longestMs: longestPauseMs });
      await onFailure(error, failures, pauseMs);
      await sleep(pauseMs);
    }
  }
}
