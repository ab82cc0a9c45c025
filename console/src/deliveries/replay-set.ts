import type { DeliveryFilter } from './delivery-filter.js';
import { isReplayableStatus, REPLAYABLE_STATUSES } from './replayable-statuses.js';

/** Conditions of the table that a replay job does not have. */
const ONLY_OF_TABLE = ['eventId', 'traceId', 'httpStatus'] as const;

/**
 * The filter of a replay of what the table shows. Its statuses are named: a replay that is described from nothing has fewer.
 *
 * @returns null if a replay job cannot be limited to that, so that it would replay more
 */
export function replaySetOf(filter: DeliveryFilter): DeliveryFilter | null {
  const { status = REPLAYABLE_STATUSES.join(',') } = filter;
  const hasReplayable = status.split(',').some(isReplayableStatus);
  const isLimited = ONLY_OF_TABLE.every((name) => filter[name] === undefined);
  return hasReplayable && isLimited ? { ...filter, status } : null;
}
