/** The time of the system: every process follows the clock of the database's primary. */
export interface Clock {
  now(): Date;
}

/**
 * The database's clock and that of a machine may differ by so much, in milliseconds: beyond it one of them is wrong. Receivers refuse
 * signatures whose time is more than five minutes from their own.
 */
export const MAX_CLOCK_SKEW_MS = 60_000;
