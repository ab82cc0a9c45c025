import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { AttemptFields, DeliveryFields, StreakChange } from '@postrider/shared/domain/delivery';
import type { Endpoint, EndpointFields } from '@postrider/shared/domain/endpoint';
import { settle } from '@postrider/shared/domain/settle';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
  later,
} from '@postrider/shared/testing/builders';
import { everything, play, STEP_MS } from '@postrider/shared/testing/settle-script';
import type { Difference } from '../../src/verify/difference.js';
import { createVerifier } from '../../src/verify/verify-history.js';

/** The stored history, as `admin verify` reads it. */
export interface History {
  readonly endpoints: readonly EndpointFields[];
  readonly deliveries: readonly DeliveryFields[];
  readonly attempts: readonly AttemptFields[];
  readonly audits: readonly AuditEvent[];
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Histories that result from random scripts of observations, operator actions and dead letters. */
export const histories = everything.map((script): History => {
  const story = play(script);
  const before = beforeTheScript();
  const attempts = [...before.attempts, ...story.attempts];
  return {
    endpoints: [...story.endpoints.values()],
    deliveries: [...before.deliveries, ...story.deliveries.values()],
    attempts,
    audits: [
      ...story.settlements.flatMap((settlement) => settlement?.audit ?? []),
      ...[...story.chain].flatMap(([id, changes]) => enablings(id, changes, attempts)),
    ],
  };
});

/** The fifteen failures of one of the script's endpoints that precede the script. */
function beforeTheScript(): Pick<History, 'deliveries' | 'attempts'> {
  const deliveries: DeliveryFields[] = [];
  const attempts: AttemptFields[] = [];
  let endpoint = anEndpoint({ id: idFor('endpoint', 'failing') });
  for (let failures = 1; failures <= 15; failures += 1) {
    const delivery = aDelivery({ id: idFor('delivery', `before ${failures}`), endpointId: endpoint.id });
    const seen = { deliveryId: delivery.id, endpointId: endpoint.id, outcome: answered(404) };
    const times = { attemptedAt: later(-60_000), endedAt: later(-60_000) };
    const settled = settle({ delivery, endpoint }, anAttemptObservation({ ...seen, ...times }), STEP_MS)!;
    endpoint = { ...endpoint, ...settled.endpoint! } as Endpoint;
    deliveries.push(settled.delivery);
    attempts.push(settled.attempt);
  }
  return { deliveries, attempts };
}

/** The audit entries of operators enabling an endpoint, with the streak changes that no attempt caused. */
function enablings(
  id: string,
  changes: readonly StreakChange[],
  attempts: readonly AttemptFields[],
): AuditEvent[] {
  const attempted = new Set(
    attempts.filter(({ endpointId }) => endpointId === id).map(({ streak }) => streak?.version),
  );
  return changes
    .filter(({ version }) => !attempted.has(version))
    .map((streak) => ({
      id: idFor('audit', `enabled ${id} ${streak.version}`),
      workspaceId: anEndpoint().workspaceId,
      action: 'webhook_endpoint.enabled',
      actor: { type: 'api_token', id: idFor('token', 'ops') },
      target: { type: 'endpoint', id },
      metadata: {},
      createdAt: later(0),
      streak,
      source: null,
    }));
}

interface VerifyOptions {
  readonly overdueBefore?: Date;
  /** The endpoints as read first. */
  readonly earlier?: readonly EndpointFields[];
}

export function differencesOf(
  history: History,
  { overdueBefore = new Date(0), earlier = history.endpoints }: VerifyOptions = {},
): readonly Difference[] {
  const found: Difference[] = [];
  const completeSince = later(-30 * DAY_MS);
  const checks = createVerifier({
    report: (difference) => found.push(difference),
    overdueBefore,
    completeSince,
  });
  const endpoints = new Map(history.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  earlier.forEach(checks.endpoint);
  history.audits.forEach(checks.audit);
  const records = Map.groupBy(history.attempts, ({ deliveryId }) => deliveryId);
  for (const delivery of history.deliveries) {
    const own = (records.get(delivery.id) ?? []).toSorted((one, other) => one.ordinal - other.ordinal);
    checks.delivery(delivery, own, endpoints);
    records.delete(delivery.id);
  }
  [...records.values()].flat().forEach(checks.orphan);
  checks.finish(endpoints);
  return found;
}
