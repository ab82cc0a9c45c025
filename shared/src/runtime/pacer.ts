import { setTimeout as pause } from 'node:timers/promises';

/**
 * Keeps rounds of work apart, so that under load each does more and all of them together cost less.
 *
 * @returns resolves at once after a rest of `everyMs`, else when that many milliseconds have passed since it last did
 */
export function createPacer(everyMs: number): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const left = last + everyMs - performance.now();
    if (left > 0) await pause(left);
    last = performance.now();
  };
}
