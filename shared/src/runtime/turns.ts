/** Resolves in the next turn of the event loop, after everything that waits for this one. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Divides work that never waits into pieces, so that other work gets its turn. */
export interface TurnLimit {
  /** Whether such work has used up its time in this turn of the event loop. */
  isOver(): boolean;
  /** Resolves in a turn that has time left. */
  wait(): Promise<void>;
}

/** @param limitMs the time in one turn, from the first call in it */
export function createTurnLimit(
  limitMs: number,
  monotonicMs: () => number = () => performance.now(),
): TurnLimit {
  let began: number | null = null;
  const isOver = () => {
    const time = monotonicMs();
    if (began === null) {
      began = time;
      setImmediate(() => {
        began = null;
      });
    }
    return time - began >= limitMs;
  };
  return {
    isOver,
    async wait() {
      while (isOver()) await nextTurn();
    },
  };
}
