import { type EndpointFields, FAILURES_THAT_DISABLE } from '@postrider/shared/domain/endpoint';
import type { Difference } from './difference.js';

/** Holds an endpoint's fields against each other. */
export function verifyEndpoint(endpoint: EndpointFields): readonly Difference[] {
  const { id, enabled, disabledReason, consecutiveFailures, failingSince, deletedAt, secrets } = endpoint;
  const wrong: [boolean, string][] = [
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
      `its failures disabled it, but there are only ${consecutiveFailures}`,
    ],
    [
      (failingSince === null) !== (consecutiveFailures === 0),
      `consecutiveFailures is ${consecutiveFailures}, failingSince is ${failingSince?.toISOString() ?? null}`,
    ],
    [deletedAt !== null && secrets !== null, 'it is deleted, but its secrets are still there'],
    [deletedAt === null && secrets === null, 'it has no secrets, so nothing can be signed for it'],
  ];
  return wrong.flatMap(([isWrong, what]) => (isWrong ? [{ kind: 'endpoint', id, what }] : []));
}
