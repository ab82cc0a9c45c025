import { MAX_CLOCK_SKEW_MS } from './clock-skew.js';

/**
 * When a row that is stored now is due: at once, even if the database's clock is far ahead and is corrected later. A due time in
 * the future would hide the row from its message and from recovery until then.
 *
 * @param now the time of the database's clock
 * @param wallMs the time of the machine's own clock, in milliseconds
 */
export function firstDue(now: Date, wallMs: number): Date {
  return now.getTime() - wallMs > MAX_CLOCK_SKEW_MS ? new Date(wallMs) : now;
}
