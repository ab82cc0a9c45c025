export interface Span {
  /** Milliseconds; inclusive. */
  readonly from: number;
  /** Milliseconds; exclusive. */
  readonly to: number;
}

/** The number of moments in a span. */
export function countWithin(moments: Iterable<number>, { from, to }: Span): number {
  let count = 0;
  for (const at of moments) if (at >= from && at < to) count += 1;
  return count;
}

/** The longest part of a span without a moment, in milliseconds; it may begin or end with the span. */
export function longestGap(moments: Iterable<number>, { from, to }: Span): number {
  const within = Float64Array.from([...moments, to].filter((at) => at >= from && at <= to)).sort();
  let before = from;
  let longest = 0;
  for (const at of within) {
    longest = Math.max(longest, at - before);
    before = at;
  }
  return longest;
}

/** Moments per second in each whole slice of a span; the rest at its end is ignored. */
export function slicesPerSecond(moments: Iterable<number>, { from, to }: Span, sliceMs: number): number[] {
  const counts = new Array<number>(Math.max(0, Math.floor((to - from) / sliceMs))).fill(0);
  for (const at of moments) {
    const slice = Math.floor((at - from) / sliceMs);
    const count = counts[slice];
    if (count !== undefined) counts[slice] = count + 1;
  }
  return counts.map((count) => (count * 1_000) / sliceMs);
}
