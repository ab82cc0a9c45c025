import { setTimeout as pause } from 'node:timers/promises';

/**
 * Spaces rounds of work, so that under load each round does more and the total cost is lower.
 *
 * @returns resolves once at least `everyMs` have passed since it last resolved
 */
export function createPacer(everyMs: number): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const left = last + everyMs - performance.now();
    if (left > 0) await pause(left);
    last = performance.now();
  };
}
