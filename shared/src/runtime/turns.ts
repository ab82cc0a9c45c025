import type { CpuTime } from './thread-cpu.js';

/** Resolves in the next turn of the event loop, after everything that waits for this one. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Divides work that never waits into pieces, so that other work gets its turn. */
export interface TurnLimit {
  /** Whether such work has used up its time in this turn of the event loop, or other such work waits. */
  isOver(): boolean;
  /**
   * Resolves in a turn that has time left, in the order of the calls. The caller may do one piece without asking again: where several
   * wait, each does a piece in turn.
   */
  wait(): Promise<void>;
}

/** CPU time in one turn of the event loop, in milliseconds. */
interface TurnTimes {
  /**
   * For all kinds of work together, from the first question in the turn. A turn that took longer, together with all other work in
   * it, shortens this time in the next one by the excess: what is started in a turn comes back as responses in later ones.
   */
  readonly totalMs: number;
  /** For each kind of work, whatever the others have used, and however long the turn before took. */
  readonly leastMs: number;
}

interface Turn {
  readonly began: number;
  readonly allowedMs: number;
}

/** Before the first turn. */
const NO_TURN: Turn = { began: 0, allowedMs: 0 };

/**
 * Limits several kinds of work together: each call adds a kind. Without a common limit, their pieces add up in one turn.
 *
 * @param cpu the CPU time. By a clock, a process that waits for a core would do almost nothing in each turn.
 */
export function createTurnLimits({ totalMs, leastMs }: TurnTimes, cpu: CpuTime): () => TurnLimit {
  let current: Turn | null = null;
  let allowedMs = totalMs;
  let isFollowed = false;
  /** Ends each turn until one has no question. It does not keep the event loop from waiting, so the next turn may begin later. */
  const follow = (turnBegan: number) => {
    const end = () => {
      const now = cpu.used();
      isFollowed = current !== null;
      current = null;
      allowedMs = isFollowed ? Math.min(totalMs, 2 * totalMs - (now - turnBegan)) : totalMs;
      if (isFollowed) follow(now);
    };
    isFollowed = true;
    setImmediate(end).unref();
  };
  const begin = (began: number): Turn => {
    current = { began, allowedMs };
    if (!isFollowed) follow(began);
    return current;
  };
  return () => {
    let own = { turn: NO_TURN, began: 0 };
    const isTimeUp = () => {
      if (current === null || own.turn !== current) {
        const began = cpu.used();
        own = { turn: current ?? begin(began), began };
      }
      const { turn, began } = own;
      const isReached = (time: number) => time - turn.began >= turn.allowedMs && time - began >= leastMs;
      // The bound is nearly always enough, and takes no system call.
      return isReached(cpu.upperBound()) && isReached(cpu.used());
    };
    const waiting: (() => void)[] = [];
    let isReleasing = false;
    const release = () => {
      if (waiting.length === 0) {
        isReleasing = false;
        return;
      }
      if (isTimeUp()) {
        setImmediate(release);
        return;
      }
      waiting.shift()?.();
      // It does its piece first: its microtask is queued already.
      queueMicrotask(release);
    };
    return {
      isOver: () => waiting.length > 0 || isTimeUp(),
      wait: () =>
        new Promise((resolve) => {
          waiting.push(resolve);
          if (isReleasing) return;
          isReleasing = true;
          setImmediate(release);
        }),
    };
  };
}
