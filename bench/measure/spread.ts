/** What several runs of one measurement came to. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
  readonly runs: number;
}

/** @returns null when no run has a value */
export function spreadOf(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  const [least] = known;
  const greatest = known.at(-1);
  if (least === undefined || greatest === undefined) return null;
  return { median: medianOf(known), least, greatest, runs: known.length };
}

function medianOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
