/** The count of one bucket of latencies. */
export type LatencyField = `latency.${number}`;

/** Buckets for each doubling of the latency: a percentile is off by 13 % at most. */
const PER_DOUBLING = 3;
/** The last bucket has everything from about a minute on. */
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

/** The middle of a bucket in milliseconds, on the scale of the buckets. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 1 : 2 ** ((bucket - 0.5) / PER_DOUBLING);
}

/**
 * Percentiles of latencies, in milliseconds.
 *
 * @param buckets how many latencies each bucket has
 * @returns null without latencies
 */
export function latencyPercentiles(
  buckets: ReadonlyMap<number, number>,
): { readonly p50: number; readonly p95: number; readonly p99: number } | null {
  const sorted = [...buckets].filter(([, count]) => count > 0).sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  const percentile = (share: number): number => {
    let seen = 0;
    for (const [bucket, count] of sorted) {
      seen += count;
      if (seen >= share * total) return Math.round(middleOf(bucket) * 10) / 10;
    }
    return 0;
  };
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99) };
}
