/** The time of the system: every process follows the clock of the database's primary. */
export interface Clock {
  now(): Date;
}
