export interface Span {
  /** Milliseconds; inclusive. */
  readonly from: number;
  /** Milliseconds; exclusive. */
  readonly to: number;
}

/** How many of these moments fall into a span. */
export function countWithin(moments: Iterable<number>, { from, to }: Span): number {
  let count = 0;
  for (const at of moments) if (at >= from && at < to) count += 1;
  return count;
}

/** Moments per second in each whole slice of a span; what is left at its end is not looked at. */
export function slicesPerSecond(moments: Iterable<number>, { from, to }: Span, sliceMs: number): number[] {
  const counts = new Array<number>(Math.max(0, Math.floor((to - from) / sliceMs))).fill(0);
  for (const at of moments) {
    const slice = Math.floor((at - from) / sliceMs);
    const count = counts[slice];
    if (count !== undefined) counts[slice] = count + 1;
  }
  return counts.map((count) => (count * 1_000) / sliceMs);
}
