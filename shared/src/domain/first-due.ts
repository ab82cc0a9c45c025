/** A smaller difference delays a first attempt by less than a retry waits, and is no reason to date rows differently. */
const TOLERATED_MS = 60_000;

/**
 * When a row that is stored now is due: at once, also after a database's clock that is ahead was corrected. A later time
 * would hide the row from its message and from recovery until then.
 *
 * @param now by the database's clock
 * @param wallMs the machine's own clock, in milliseconds
 */
export function firstDue(now: Date, wallMs: number): Date {
  return now.getTime() - wallMs > TOLERATED_MS ? new Date(wallMs) : now;
}
