import { FAILURE_REASONS, isAttemptFailureReason } from '@postrider/client';

/**
 * Every reason of the last attempt, as a filter. It finds deliveries that are held since an attempt failed, but not those that
 * were never attempted, which do not show why a receiver fails.
 */
export const FAILED_ATTEMPTS: string = FAILURE_REASONS.filter(isAttemptFailureReason).join(',');
