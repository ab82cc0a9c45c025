interface DoublingPause {
  /** The pause after the first failure. */
  readonly firstMs: number;
  /** The maximum pause; absent if the number of failures is limited. */
  readonly longestMs?: number;
}

/**
 * How long to wait after a failure, in milliseconds: twice as long after each, up to the longest pause.
 *
 * @param failures in a row so far, at least 1
 */
export function doublingPauseMs(
  failures: number,
  { firstMs, longestMs = Number.POSITIVE_INFINITY }: DoublingPause,
): number {
  return Math.min(firstMs * 2 ** (failures - 1), longestMs);
}
