/** A smaller clock difference, in milliseconds, is ignored: it delays a first attempt by less than a retry waits. */
const TOLERATED_MS = 60_000;

/**
 * When a row that is stored now is due: at once, even if the database's clock is ahead and is corrected later. A due time in
 * the future would hide the row from its message and from recovery until then.
 *
 * @param now the time of the database's clock
 * @param wallMs the time of the machine's own clock, in milliseconds
 */
export function firstDue(now: Date, wallMs: number): Date {
  return now.getTime() - wallMs > TOLERATED_MS ? new Date(wallMs) : now;
}
