import type { DeliveryFilter } from './delivery-filter.js';
import { isReplayableStatus } from './replayable-statuses.js';

/** Conditions of the table that a replay job does not have. */
const ONLY_OF_TABLE = ['eventId', 'traceId', 'httpStatus'] as const;

/** Whether a replay job can be limited to what the table shows. Another one would replay more. */
export function isReplaySet(filter: DeliveryFilter): boolean {
  const { status } = filter;
  const hasReplayable = status === undefined || status.split(',').some(isReplayableStatus);
  return hasReplayable && ONLY_OF_TABLE.every((name) => filter[name] === undefined);
}
