/** Calls a function when something is due. Without anything to wait for there are no ticks. */
export interface DueTimer {
  /** Call when something else may be due next. */
  arm(): void;
  stop(): void;
}

interface DueTimerParts {
  /** When something is due next, in milliseconds; null if nothing is. */
  readonly nextAt: () => number | null;
  /** The clock of `nextAt`. */
  readonly timeMs: () => number;
  readonly onDue: () => void;
  /** Minimum time between ticks, in milliseconds: how much later than it is due something may be handled. */
  readonly tickMs: number;
  /** Maximum time between ticks, in milliseconds, for a clock that may be corrected: `onDue` may be called too early then. */
  readonly longestMs?: number;
}

export function createDueTimer(parts: DueTimerParts): DueTimer {
  const { nextAt, timeMs, onDue, tickMs, longestMs = Number.POSITIVE_INFINITY } = parts;
  let timer: NodeJS.Timeout | null = null;
  let tickAt = Number.POSITIVE_INFINITY;
  let isStopped = false;
  const arm = () => {
    const at = isStopped ? null : nextAt();
    if (at === null) return;
    const time = timeMs();
    const waitMs = Math.min(Math.max(Math.ceil(at - time), tickMs), longestMs);
    if (timer !== null && tickAt <= time + waitMs) return;
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(tick, waitMs);
    tickAt = time + waitMs;
  };
  const tick = () => {
    timer = null;
    onDue();
    arm();
  };
  return {
    arm,
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
