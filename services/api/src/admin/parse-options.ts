import { isEventTypeName } from '@postrider/shared/domain/event-type';
import { A_DATE_TIME, readDateTime } from '@postrider/shared/domain/read-date-time';
import { parseDuration } from '@postrider/shared/runtime/variables';
import { InvalidArgumentError } from 'commander';

/** A span of time such as `24h`, in milliseconds. */
export function duration(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** A time, or a span of time before now in milliseconds. */
export function agoOrTime(text: string): number | Date {
  try {
    return readDateTime(text) ?? parseDuration(text);
  } catch {
    throw new InvalidArgumentError(`must be a duration like 30m, 2h or 3d, or ${A_DATE_TIME}.`);
  }
}

/** The name of an event type, whether it is known or not. */
export function eventType(text: string): string {
  if (isEventTypeName(text)) return text;
  throw new InvalidArgumentError('must be the name of an event type, such as invoice.paid.');
}

/** A partition or an offset. */
export function fromZero(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('must be a whole number from 0 on.');
}

/** Larger numbers are mistakes, and from 2^63 on the database refuses them. */
const MAX_COUNT = 1_000_000_000;

/** A whole number other than 0. */
export function atLeast(minimum: number) {
  const allowed = minimum < 0 ? `${minimum} or a whole number from 1` : `a whole number from ${minimum}`;
  return (text: string): number => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= minimum && count !== 0 && count <= MAX_COUNT) return count;
    throw new InvalidArgumentError(`must be ${allowed} to ${MAX_COUNT}.`);
  };
}
