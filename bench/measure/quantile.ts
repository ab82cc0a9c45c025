/**
 * The smallest value that at least the share `q` of the values does not exceed (nearest rank).
 *
 * @param sorted ascending
 * @param q from 0 for the least value to 1 for the greatest
 * @returns null if there are no values
 */
export function quantile(sorted: ArrayLike<number>, q: number): number | null {
  const rank = Math.max(1, Math.ceil(sorted.length * q));
  return sorted[rank - 1] ?? null;
}

/** The distribution of values in their own unit; all null if there are none. */
export type Distribution = Readonly<Record<'min' | 'p50' | 'p95' | 'p99' | 'max', number | null>>;

export function distributionOf(values: Iterable<number>): Distribution {
  const sorted = Float64Array.from(values).sort();
  return {
    min: quantile(sorted, 0),
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    max: quantile(sorted, 1),
  };
}

/** The values of several runs of one measurement. */
export interface Spread {
  /** The mean of the two middle values of an even number. */
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
  readonly runs: number;
}

/** Ignores runs without a value. @returns null if no run has one */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const at = (index: number) => known[index] ?? Number.NaN;
  const runs = known.length;
  if (runs === 0) return null;
  const median = (at(Math.floor(runs / 2)) + at(Math.ceil(runs / 2) - 1)) / 2;
  return { median, least: at(0), greatest: at(runs - 1), runs };
}
