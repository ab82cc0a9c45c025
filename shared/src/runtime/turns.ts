/** Resolves in the next turn of the event loop, after everything that waits for this one. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Divides work that never waits into pieces, so that other work gets its turn. */
export interface TurnLimit {
  /** Whether such work has used up its time in this turn of the event loop. */
  isOver(): boolean;
  /** Resolves in a turn that has time left. */
  wait(): Promise<void>;
}

/** Time in one turn of the event loop, in milliseconds. */
interface TurnTimes {
  /** For all kinds of work together, from the first question in the turn. */
  readonly totalMs: number;
  /** For each kind of work, whatever the others have used. */
  readonly leastMs: number;
}

/** Limits several kinds of work together: each call adds a kind. Without a common limit, their pieces add up in one turn. */
export function createTurnLimits(
  { totalMs, leastMs }: TurnTimes,
  monotonicMs: () => number = () => performance.now(),
): () => TurnLimit {
  let turn = 0;
  let began: number | null = null;
  const beginningAt = (time: number): number => {
    if (began !== null) return began;
    began = time;
    setImmediate(() => {
      began = null;
      turn += 1;
    });
    return time;
  };
  return () => {
    let own = { turn: -1, began: 0 };
    const isOver = () => {
      const time = monotonicMs();
      const usedMs = time - beginningAt(time);
      if (own.turn !== turn) own = { turn, began: time };
      return usedMs >= totalMs && time - own.began >= leastMs;
    };
    return {
      isOver,
      async wait() {
        while (isOver()) await nextTurn();
      },
    };
  };
}
