import { sleep } from '../runtime/sleep.js';

const PAUSE_MS = 25;

/** Repeats an assertion until it passes. @throws its last failure after `withinMs` */
export async function eventually<T>(assertion: () => T | Promise<T>, withinMs = 15_000): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await sleep(PAUSE_MS);
  }
}
