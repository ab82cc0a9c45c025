import { FAILURE_REASONS } from '@postrider/client';

/**
 * Every reason for the status of a delivery but that its endpoint is disabled or deleted, as a filter. What was held or given
 * up without an attempt does not show why a receiver fails.
 */
export const FAILED_ATTEMPTS: string = FAILURE_REASONS.filter(
  (reason) => reason !== 'endpoint_disabled' && reason !== 'endpoint_deleted',
).join(',');
