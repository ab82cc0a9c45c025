/**
 * Maximum difference between the database's clock and a machine's, in milliseconds: beyond it one of them is wrong. Receivers
 * refuse signatures whose time differs from theirs by more than five minutes. A smaller difference delays a first attempt by
 * less than a retry waits.
 */
export const MAX_CLOCK_SKEW_MS = 60_000;
