import { type EndpointFields, FAILURES_THAT_DISABLE } from '@postrider/shared/domain/endpoint';
import { readFilter } from '@postrider/shared/domain/event-filter';
import { compileFilter } from '@postrider/shared/domain/match-filter';
import { owedOf } from '@postrider/shared/domain/owed';
import type { Difference } from './difference.js';

/**
 * Checks that deliveries to an endpoint can be planned unless it is deleted, and that its fields do not contradict each other.
 *
 * @throws an error of any kind if it is damaged
 */
export function verifyEndpoint(endpoint: EndpointFields): readonly Difference[] {
  if (endpoint.deletedAt === null) planAny(endpoint);
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

/** Uses the fields that decide which deliveries an endpoint gets, as fan-out does. */
function planAny(endpoint: EndpointFields): void {
  const occurredAt = endpoint.createdAt;
  for (const { eventType } of endpoint.subscriptions) owedOf(endpoint, { eventType, occurredAt });
  if (endpoint.filter) compileFilter(readFilter(endpoint.filter));
}
