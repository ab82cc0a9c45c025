/** The time of the system: every process follows the clock of the database's primary. */
export interface Clock {
  now(): Date;
}

/**
 * Maximum difference between the database's clock and a machine's, in milliseconds: beyond it one of them is wrong. Receivers
 * refuse signatures whose time differs from theirs by more than five minutes.
 */
export const MAX_CLOCK_SKEW_MS = 60_000;
