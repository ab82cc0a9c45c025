import { type AuditEvent, SYSTEM } from './audit-event.js';
import { FAILURES_THAT_DISABLE, FAILURES_THAT_WARN, originOf, type SettledEndpoint } from './endpoint.js';
import { derivedId } from './id.js';
import { lastOutcomeText } from './last-failure-text.js';
import type { Notification } from './notification.js';
import type { AttemptObservation } from './settle.js';
import type { StreakStep } from './streak.js';

/** The records of a change of an endpoint's streak. */
export interface StreakRecords {
  readonly audit: AuditEvent | null;
  readonly notification: Notification | null;
}

export const NO_RECORDS: StreakRecords = { audit: null, notification: null };

type Cause = Pick<AttemptObservation, 'deliveryId' | 'ordinal' | 'endedAt' | 'outcome'>;

/** The records of disabling an endpoint, and the warning before that: once per streak, because it only grows by one. */
export function streakRecords(step: StreakStep, cause: Cause): StreakRecords {
  if (step.disables) return disablingRecords(step, cause);
  if (step.change?.after === FAILURES_THAT_WARN)
    return { audit: null, notification: warning(step.endpoint, cause) };
  return NO_RECORDS;
}

function disablingRecords({ endpoint, change }: StreakStep, cause: Cause): StreakRecords {
  const at = cause.endedAt;
  const auditId = derivedId('audit', at, `disabled ${cause.deliveryId}:${cause.ordinal}`);
  const facts = { consecutiveFailures: endpoint.consecutiveFailures };
  return {
    audit: {
      id: auditId,
      workspaceId: endpoint.workspaceId,
      action: 'webhook_endpoint.disabled',
      actor: SYSTEM,
      target: { type: 'endpoint', id: endpoint.id },
      metadata: { reason: 'consecutive_failures', origin: originOf(endpoint.url), ...facts },
      createdAt: at,
      streak: change,
      source: null,
    },
    notification: {
      id: derivedId('notification', at, auditId),
      workspaceId: endpoint.workspaceId,
      kind: 'endpoint_disabled',
      message:
        `The webhook endpoint at ${originOf(endpoint.url)} was disabled after ` +
        `${endpoint.consecutiveFailures} consecutive failures${lastOutcomeText(cause.outcome)}. ` +
        'Repair it, then enable it again.',
      endpointId: endpoint.id,
      data: facts,
      createdAt: at,
    },
  };
}

function warning(endpoint: SettledEndpoint, { deliveryId, ordinal, endedAt, outcome }: Cause): Notification {
  const { consecutiveFailures, failingSince } = endpoint;
  return {
    id: derivedId('notification', endedAt, `failing ${deliveryId}:${ordinal}`),
    workspaceId: endpoint.workspaceId,
    kind: 'endpoint_failing',
    message:
      `The last ${consecutiveFailures} attempts to reach the webhook endpoint at ${originOf(endpoint.url)} ` +
      `failed${lastOutcomeText(outcome)}. ` +
      `It will be disabled after ${FAILURES_THAT_DISABLE}.`,
    endpointId: endpoint.id,
    data: { consecutiveFailures, failingSince: (failingSince ?? endedAt).toISOString() },
    createdAt: endedAt,
  };
}
