import { FAILED_ATTEMPTS } from '../deliveries/failed-attempts.js';
import { REPLAYABLE_STATUSES } from '../deliveries/replayable-statuses.js';

/** The deliveries that show why an endpoint fails, as a filter: those that are retried, and those that have ended. */
export const FAILED_DELIVERIES = {
  status: REPLAYABLE_STATUSES.join(','),
  lastFailureReason: FAILED_ATTEMPTS,
} as const;
