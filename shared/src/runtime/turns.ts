import type { CpuTime } from './thread-cpu.js';

/** Resolves in the next turn of the event loop, after everything that waits for this one. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Divides work that never waits into pieces, so that other work gets its turn. */
export interface TurnLimit {
  /** Whether such work has used up its time in this turn of the event loop. */
  isOver(): boolean;
  /** Resolves in a turn that has time left. */
  wait(): Promise<void>;
}

/** CPU time in one turn of the event loop, in milliseconds. */
interface TurnTimes {
  /** For all kinds of work together, from the first question in the turn. */
  readonly totalMs: number;
  /** For each kind of work, whatever the others have used. */
  readonly leastMs: number;
}

interface Turn {
  readonly began: number;
}

/** Before the first turn. */
const NO_TURN: Turn = { began: 0 };

/**
 * Limits several kinds of work together: each call adds a kind. Without a common limit, their pieces add up in one turn.
 *
 * @param cpu the CPU time. By a clock, a process that waits for a core would do almost nothing in each turn.
 */
export function createTurnLimits({ totalMs, leastMs }: TurnTimes, cpu: CpuTime): () => TurnLimit {
  let current: Turn | null = null;
  const begin = (began: number): Turn => {
    setImmediate(() => {
      current = null;
    });
    current = { began };
    return current;
  };
  return () => {
    let own = { turn: NO_TURN, began: 0 };
    const isOver = () => {
      if (current === null || own.turn !== current) {
        const began = cpu.used();
        own = { turn: current ?? begin(began), began };
      }
      const { turn, began } = own;
      const isReached = (time: number) => time - turn.began >= totalMs && time - began >= leastMs;
      // The bound is nearly always enough, and takes no system call.
      return isReached(cpu.upperBound()) && isReached(cpu.used());
    };
    return {
      isOver,
      async wait() {
        while (isOver()) await nextTurn();
      },
    };
  };
}
