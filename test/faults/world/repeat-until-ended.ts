import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats an action, from now on. @returns a function that ends the repetition, and resolves when it has ended */
export function repeatUntilEnded(everyMs: number, act: () => Promise<void>): () => Promise<void> {
  let isEnded = false;
  const repeating = (async () => {
    for (; !isEnded; await sleep(everyMs)) await act();
  })();
  return () => {
    isEnded = true;
    return repeating;
  };
}
