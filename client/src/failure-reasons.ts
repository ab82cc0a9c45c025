import type { components } from './generated/openapi.js';

type FailureReason = components['schemas']['FailureReason'];
type AttemptFailureReason = components['schemas']['AttemptFailureReason'];

/** Whether an attempt can have the reason, or only a delivery. */
const IS_OF_ATTEMPTS: Readonly<Record<AttemptFailureReason, true> & Record<FailureReason, boolean>> = {
  http_status: true,
  timeout: true,
  connection_refused: true,
  connection_reset: true,
  dns: true,
  tls: true,
  network: true,
  invalid_url: true,
  blocked_address: true,
  endpoint_disabled: false,
  endpoint_deleted: false,
  retries_exhausted: false,
};

/** The reasons why a delivery fails. */
export const FAILURE_REASONS = Object.keys(IS_OF_ATTEMPTS) as readonly FailureReason[];

/**
 * Whether attempts fail with this reason, so that `lastFailureReason` finds deliveries whose last attempt did. All others are
 * reasons of deliveries only, which `failureReason` finds.
 */
export function isAttemptFailureReason(reason: FailureReason): reason is AttemptFailureReason {
  return IS_OF_ATTEMPTS[reason];
}
