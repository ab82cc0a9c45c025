/**
 * A time: RFC 3339, UTC, with milliseconds.
 * @format date-time
 * @example "2026-03-01T09:30:00.000Z"
 */
export type Timestamp = string;
