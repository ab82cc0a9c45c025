/** Calls a function when something is due. No timer runs while there is nothing to wait for. */
export interface DueTimer {
  /** Call when the next due time may have changed. */
  arm(): void;
  stop(): void;
}

interface DueTimerParts {
  /** When something is due next, in milliseconds; null if nothing is. */
  readonly nextAt: () => number | null;
  /** The clock of `nextAt`. */
  readonly timeMs: () => number;
  readonly onDue: () => void;
  /** Minimum time between ticks, in milliseconds; an item may be handled this late. */
  readonly tickMs: number;
  /** Maximum time between ticks, in milliseconds, if the clock may be corrected; `onDue` may then be called early. */
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
