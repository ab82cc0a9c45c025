import { LATE_AFTER_MS } from '@postrider/shared/domain/delivery-stats';
import { DAY_MS, HOUR_MS } from '@postrider/shared/domain/durations';
import { hourOf } from '@postrider/shared/domain/stat-hours';
import type { HourSpan } from '@postrider/shared/ports/delivery-stats';

const RECOUNTED_MS = 2 * DAY_MS;
/** Closed hours change rarely: by failures that are retried in a later hour. */
const CLOSED_FOR_MS = HOUR_MS / 4;

/** The hours to count: those that closed within two days, and whose deliveries are not removed yet. */
export function closedHours(now: Date, retentionMs: number): HourSpan {
  const before = hourOf(new Date(now.getTime() - CLOSED_FOR_MS)).getTime();
  const from = Math.max(before - RECOUNTED_MS, keptFrom(now, retentionMs).getTime());
  return { from: new Date(Math.min(before, from)), before: new Date(before) };
}

/** The beginning of the first hour whose deliveries all still exist. */
export function keptFrom(now: Date, retentionMs: number): Date {
  return new Date(
    hourOf(new Date(Math.max(0, now.getTime() - retentionMs + LATE_AFTER_MS))).getTime() + HOUR_MS,
  );
}

/** The earliest creation time of deliveries that may have an outcome in these hours that is not late. */
export function createdFrom({ from }: HourSpan): Date {
  return new Date(from.getTime() - LATE_AFTER_MS);
}
