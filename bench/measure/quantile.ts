/**
 * The smallest value that at least the share `q` of the values does not exceed (nearest rank).
 *
 * @param sorted ascending
 * @param q from 0 to 1; 0 gives the least value, 1 the greatest
 * @returns null when there are no values
 */
export function quantile(sorted: ArrayLike<number>, q: number): number | null {
  const rank = Math.max(1, Math.ceil(sorted.length * q));
  return sorted[rank - 1] ?? null;
}

/** How a set of values is distributed, in their own unit; all null when there are none. */
export interface Distribution {
  readonly least: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly greatest: number | null;
}

export function distributionOf(values: Iterable<number>): Distribution {
  const sorted = Float64Array.from(values).sort();
  return {
    least: quantile(sorted, 0),
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    greatest: quantile(sorted, 1),
  };
}
