/** Spaces the batches of all jobs of a process, so that they neither coincide nor become too frequent. */
export interface BatchStarts {
  /** Waits until the next batch may start; first come, first served. @returns how long it waited, in milliseconds */
  next(): Promise<number>;
}

interface BatchStartsParts {
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** The minimum distance of two starts: at most 20 batches in a second. */
const EVERY_MS = 50;

export function createBatchStarts({ monotonicMs, sleep }: BatchStartsParts): BatchStarts {
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    async next() {
      const now = monotonicMs();
      const startAt = Math.max(now, nextAt);
      nextAt = startAt + EVERY_MS;
      if (startAt > now) await sleep(startAt - now);
      return startAt - now;
    },
  };
}
