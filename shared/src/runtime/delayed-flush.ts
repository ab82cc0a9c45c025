interface DelayedFlushParts {
  /** How much waits to be flushed. */
  readonly waiting: () => number;
  /** So much is flushed at once. */
  readonly full: number;
  /** How long less than that waits for more, in milliseconds. */
  readonly pauseMs: () => number;
  /** Takes some or all of what waits, and handles it. Must not reject. */
  readonly flush: () => Promise<void>;
}

/** Flushes what was added some time before, so that much is handled together. One flush runs at a time. */
export interface DelayedFlush {
  /** Call when something was added. */
  schedule(): void;
  /** Flushes without a pause. Resolves when nothing waits. */
  drain(): Promise<void>;
}

export function createDelayedFlush({ waiting, full, pauseMs, flush }: DelayedFlushParts): DelayedFlush {
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> | null = null;
  const flushNow = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    flushing ??= flush().finally(() => {
      flushing = null;
      schedule();
    });
    return flushing;
  };
  const schedule = () => {
    if (waiting() === 0 || flushing !== null) return;
    if (waiting() >= full) void flushNow();
    else timer ??= setTimeout(() => void flushNow(), pauseMs());
  };
  return {
    schedule,
    async drain() {
      while (waiting() > 0 || flushing !== null) await flushNow();
    },
  };
}
