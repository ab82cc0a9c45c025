/** Calls a function when something is due. Without anything to wait for there are no ticks. */
export interface DueTimer {
  /** Call when something else may be due next. */
  arm(): void;
  stop(): void;
}

interface DueTimerParts {
  /** When something is due next, in milliseconds; null if nothing is. */
  readonly nextAt: () => number | null;
  readonly now: () => number;
  readonly onDue: () => void;
  /** Minimum time between ticks, in milliseconds: how much later than it is due something may be handled. */
  readonly tickMs: number;
}

export function createDueTimer({ nextAt, now, onDue, tickMs }: DueTimerParts): DueTimer {
  let timer: NodeJS.Timeout | null = null;
  let tickAt = Number.POSITIVE_INFINITY;
  let stopped = false;
  const arm = () => {
    const at = stopped ? null : nextAt();
    if (at === null) return;
    const time = now();
    const waitMs = Math.max(Math.ceil(at - time), tickMs);
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
      stopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
