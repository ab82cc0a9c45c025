import { type EndpointFields, FAILURES_THAT_DISABLE } from '@postrider/shared/domain/endpoint';
import type { Difference } from './difference.js';

/** Checks that an endpoint's fields do not contradict each other. */
export function verifyEndpoint(endpoint: EndpointFields): readonly Difference[] {
  const { id, enabled, disabledReason, consecutiveFailures, failingSince, deletedAt, secrets } = endpoint;
  const checks: [boolean, string][] = [
    [enabled !== (disabledReason === null), `enabled is ${enabled}, disabledReason is ${disabledReason}`],
    [
      consecutiveFailures < 0 || consecutiveFailures > FAILURES_THAT_DISABLE,
      `consecutiveFailures is ${consecutiveFailures}`,
    ],
    [
      enabled && consecutiveFailures >= FAILURES_THAT_DISABLE,
      `it is enabled after ${consecutiveFailures} consecutive failures`,
    ],
    [
      disabledReason === 'consecutive_failures' && consecutiveFailures < FAILURES_THAT_DISABLE,
      `it was disabled by its failures, but has only ${consecutiveFailures}`,
    ],
    [
      (failingSince === null) !== (consecutiveFailures === 0),
      `consecutiveFailures is ${consecutiveFailures}, failingSince is ${failingSince?.toISOString() ?? null}`,
    ],
    [deletedAt !== null && secrets !== null, 'it is deleted, but still has secrets'],
    [deletedAt === null && secrets === null, 'it has no secrets to sign with'],
  ];
  return checks.flatMap(([fails, what]) => (fails ? [{ kind: 'endpoint', id, what }] : []));
}
