/** Calls a function when POSTs may have become old. Without POSTs in flight there are no ticks. */
export interface AgeTimer {
  /** Call when a POST begins. */
  arm(): void;
  stop(): void;
}

interface AgeTimerParts {
  /** When the oldest prompt POST begins to linger, in milliseconds; null if there is none. */
  readonly nextAt: () => number | null;
  readonly now: () => number;
  readonly age: () => void;
}

/** Minimum time between ticks: how much later than it should a POST may be counted as lingering, in milliseconds. */
const TICK_MS = 20;

export function createAgeTimer({ nextAt, now, age }: AgeTimerParts): AgeTimer {
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;
  const arm = () => {
    const at = timer === null && !stopped ? nextAt() : null;
    if (at !== null) timer = setTimeout(tick, Math.max(at - now(), TICK_MS));
  };
  const tick = () => {
    timer = null;
    age();
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
