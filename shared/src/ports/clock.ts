/** The one time of the system: every process follows the database primary's clock. */
export interface Clock {
  now(): Date;
}
