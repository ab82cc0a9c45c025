/** RFC 3339 without leap seconds, which do not exist as a Date. */
const DATE_TIME =
  /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
/** From here on, the form in UTC has a year of more than four digits. */
const END_MS = Date.UTC(10_000, 0);

/** What the value of a time must be. */
export const A_DATE_TIME = 'a date and time like 2026-03-01T09:30:00.000Z';

/** Reads a time as requests and events have it: RFC 3339 with an offset, from 1970 on. @returns null for anything else */
export function readDateTime(value: unknown): Date | null {
  const match = typeof value === 'string' ? DATE_TIME.exec(value) : null;
  if (match === null) return null;
  const [text, year, month, day] = match;
  // The parser takes February 30th for March 2nd.
  if (Number(day) > daysOf(Number(year), Number(month))) return null;
  const ms = Date.parse(text);
  return ms >= 0 && ms < END_MS ? new Date(ms) : null;
}

/** A fraction of a millisecond. */
const FRACTION = /\.\d{3}\d*[1-9]/;

/**
 * Reads a time that a period ends before. Stored times have whole milliseconds, so a fraction is rounded up: the time in the same
 * millisecond is before it. @returns null for anything else
 */
export function readEnd(value: unknown): Date | null {
  const cutOff = readDateTime(value);
  if (cutOff === null || !FRACTION.test(String(value))) return cutOff;
  return new Date(Math.min(cutOff.getTime() + 1, END_MS - 1));
}

/** @param month from 1 */
function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
