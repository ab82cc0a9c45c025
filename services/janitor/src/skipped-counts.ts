import type { RejectedHour, Unreadable } from '@postrider/shared/ports/delivery-stats';
import type { Log } from '@postrider/shared/ports/log';

/** What a recount leaves out, so that one bad document does not end it at the same place every night. */
export interface SkippedCounts {
  addRows(rows: readonly Unreadable[]): void;
  addHours(hours: readonly RejectedHour[]): void;
  /** The number of rows and hours. */
  total(): number;
}

/** Maximum number of documents that a run logs: all of them may be bad. */
const MAX_LOGGED = 20;

export function createSkippedCounts(log: Log): SkippedCounts {
  let total = 0;
  const mayLog = () => {
    total += 1;
    return total <= MAX_LOGGED;
  };
  return {
    addRows(rows) {
      for (const { deliveryId, error: err } of rows)
        if (mayLog())
          log.warn(
            { event: 'stats.skipped', deliveryId, err },
            'a delivery cannot be read and is missing in the counts',
          );
    },
    addHours(hours) {
      for (const { id, reason } of hours)
        if (mayLog())
          log.warn(
            { event: 'stats.skipped', hour: id, reason },
            'the database rejects the counts of an hour, which stay as they were',
          );
    },
    total: () => total,
  };
}
