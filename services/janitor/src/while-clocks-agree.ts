import { MAX_CLOCK_SKEW_MS } from '@postrider/shared/domain/clock-skew';
import type { CountedTask } from './record-runs.js';

/**
 * A task that fails while the database's clock and this machine's differ: one of them is wrong, and it is unknown which.
 * With a clock that is days ahead, it would permanently remove data that has not expired.
 *
 * @param offsetMs how far this machine's clock is behind the database's, in milliseconds
 */
export function whileClocksAgree({ name, run }: CountedTask, offsetMs: () => number): CountedTask {
  return {
    name,
    async run() {
      const skewMs = Math.abs(offsetMs());
      if (skewMs > MAX_CLOCK_SKEW_MS)
        throw new Error(
          `the database's clock and this machine's differ by ${Math.round(skewMs / 1_000)} s, so ${name} does nothing: ` +
            'check time synchronisation on both; the next run continues',
        );
      return run();
    },
  };
}
