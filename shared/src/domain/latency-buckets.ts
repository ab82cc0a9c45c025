/** The count of one bucket of latencies. */
export type LatencyField = `latency.${number}`;

/** Buckets for each doubling of the latency: each bound is 26 % above the one before. */
const PER_DOUBLING = 3;
/** The last bucket, for all latencies from about a minute on. */
const LAST = 48;

/** The counts of all buckets. */
export const LATENCY_FIELDS: readonly LatencyField[] = Array.from(
  { length: LAST + 1 },
  (_, bucket) => `latency.${bucket}` as const,
);

/** The bucket of a latency in milliseconds; the first one has everything up to 1 ms. */
export function latencyBucket(ms: number): number {
  return Math.min(LAST, Math.max(0, Math.ceil(Math.log2(Math.max(ms, 1)) * PER_DOUBLING)));
}

export function latencyField(ms: number): LatencyField {
  return `latency.${latencyBucket(ms)}`;
}

/** The upper bound of each bucket in milliseconds, rounded up to three digits, because more would look exact. */
const UPPER_BOUNDS: readonly number[] = LATENCY_FIELDS.map((_, bucket) => {
  const bound = 2 ** (bucket / PER_DOUBLING);
  const unit = 10 ** (Math.floor(Math.log10(bound)) - 2);
  return Number((Math.ceil(bound / unit) * unit).toPrecision(3));
});

/**
 * Percentiles of latencies, in milliseconds: at least that share took no longer, and the true percentile is up to 21 % shorter. A
 * percentile is an upper bound, so that an attempt that ran into a deadline never seems to have ended before it.
 *
 * @param buckets how many latencies each bucket has
 * @returns null without latencies
 */
export function latencyPercentiles(
  buckets: ReadonlyMap<number, number>,
): { readonly p50: number; readonly p95: number; readonly p99: number } | null {
  const percentile = (share: number): number => UPPER_BOUNDS[bucketAt(buckets, share) ?? 0] ?? 0;
  if (bucketAt(buckets, 1) === null) return null;
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
}

/** Whether more than a share of the latencies are longer than a limit, as far as buckets show it. */
export function exceeds(
  buckets: ReadonlyMap<number, number>,
  { share, limitMs }: { readonly share: number; readonly limitMs: number },
): boolean {
  const bucket = bucketAt(buckets, 1 - share);
  return bucket !== null && bucket > latencyBucket(limitMs);
}

/** The bucket of the latency that a share of all does not exceed; null without latencies. */
function bucketAt(buckets: ReadonlyMap<number, number>, share: number): number | null {
  const sorted = [...buckets].filter(([, count]) => count > 0).sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let seen = 0;
  for (const [bucket, count] of sorted) {
    seen += count;
    if (seen >= share * total) return bucket;
  }
  return null;
}
