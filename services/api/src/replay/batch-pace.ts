/** Replays in one batch: fewer would cost more each, and more would delay other deliveries. */
const SMALL_BATCH = 10;
const REGULAR_BATCH = 40;
/** The time between the starts of two batches of a job, in milliseconds. */
const SHORTEST_MS = 50;
const REGULAR_MS = 200;
const LONGEST_MS = 1_000;
/** How much time a batch may catch up on, in milliseconds, besides its own interval and known delays. */
const CATCH_UP_MS = 250;
const MS_PER_S = 1_000;
/** Maximum number of matched deliveries that one transaction looks at. */
const MAX_LOOKED_AT = 1_000;

/**
 * The time between the starts of two batches of a job, in milliseconds: that of 10 replays, but at least 200 ms and at most 1 s.
 * At higher rates batches grow to 40 replays, then become more frequent, and grow again.
 */
export function batchEveryMs(ratePerSecond: number): number {
  const msPerReplay = MS_PER_S / ratePerSecond;
  const shortest = Math.max(SHORTEST_MS, Math.min(REGULAR_MS, REGULAR_BATCH * msPerReplay));
  return Math.min(LONGEST_MS, Math.max(shortest, SMALL_BATCH * msPerReplay));
}

/**
 * The maximum number of replays in one batch. Delays other than these are made up for by several batches.
 *
 * @param delayedMs how long it waited for other jobs, plus the duration of the last batch's transaction, in milliseconds
 */
export function largestBatch(ratePerSecond: number, delayedMs: number): number {
  const accruedMs = batchEveryMs(ratePerSecond) + CATCH_UP_MS + delayedMs;
  return Math.min(MAX_LOOKED_AT, Math.ceil((ratePerSecond * accruedMs) / MS_PER_S));
}

/** How many matched deliveries a batch looks at: as many as it may replay, and more after batches that mostly skipped. */
export interface BatchLookahead {
  of(most: number): number;
  handled(counts: { readonly replayed: number; readonly skipped: number }): void;
}

export function createBatchLookahead(): BatchLookahead {
  let factor = 1;
  return {
    of: (most) => Math.min(MAX_LOOKED_AT, most * factor),
    handled({ replayed, skipped }) {
      factor = skipped > replayed ? Math.min(MAX_LOOKED_AT, factor * 2) : 1;
    },
  };
}
