import type { components } from '@postrider/client';

type FailureReason = components['schemas']['FailureReason'];

/** These end a delivery without a request. */
const REASONS: ReadonlySet<FailureReason | null> = new Set<FailureReason>([
  'endpoint_disabled',
  'endpoint_deleted',
  'retries_exhausted',
]);

/** Whether a record is none of an attempt, but of the end of its delivery. */
export function isBookkeeping({
  failureReason,
}: Pick<components['schemas']['DeliveryAttempt'], 'failureReason'>): boolean {
  return REASONS.has(failureReason);
}
