/** From here on a duration reads as 10.0 s or as 1.00 s, once it is rounded. */
const TEN_SECONDS_MS = 9_995;
const A_SECOND_MS = 999.5;

/** A duration with at most two significant decimals, in the largest unit that reads well. */
export function formatMs(ms: number): string {
  if (ms >= TEN_SECONDS_MS) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms >= A_SECOND_MS) return `${(ms / 1_000).toFixed(2)} s`;
  return ms >= 10 ? `${Math.round(ms)} ms` : `${Number(ms.toFixed(1))} ms`;
}
