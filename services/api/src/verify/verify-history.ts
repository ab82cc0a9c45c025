import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { AttemptFields, DeliveryFields } from '@postrider/shared/domain/delivery';
import type { EndpointFields } from '@postrider/shared/domain/endpoint';
import type { Difference } from './difference.js';
import { verifyDelivery } from './verify-delivery.js';
import { verifyEndpoint } from './verify-endpoint.js';
import { createStreakCheck, type StreakCheck } from './verify-streak.js';

/**
 * Checks the stored history incrementally and reports every difference. Endpoints must be read first, then audit events,
 * then deliveries, so that everything an endpoint reflects is contained in later reads. Newer changes of a streak are left
 * to the next run, except that the endpoint must reflect them when it is read again.
 */
export interface Verifier {
  endpoint(endpoint: EndpointFields): void;
  audit(entry: AuditEvent): void;
  /** @param endpoints from the same snapshot as the delivery */
  delivery(delivery: DeliveryFields, attempts: readonly AttemptFields[], endpoints: Endpoints): void;
  /** An attempt without a delivery. */
  orphan(attempt: AttemptFields): void;
  /** The endpoints with changes newer than their first read; read them again before `finish`. */
  endpointsToReread(): readonly string[];
  /** Checks the streaks. */
  finish(reread: Endpoints): void;
}

type Endpoints = ReadonlyMap<string, Pick<EndpointFields, 'workspaceId' | 'streakVersion'>>;

export interface VerifierParts {
  readonly report: (difference: Difference) => void;
  /** Deliveries that were due before this are overdue. */
  readonly overdueBefore: Date;
  /** Deliveries since then are read, and none of them has expired. */
  readonly completeSince: Date;
}

/** How long after its delivery an attempt is assumed to come; longer lags are measured. */
const MIN_LAG_MS = 24 * 60 * 60 * 1_000;

export function createVerifier({ report, overdueBefore, completeSince }: VerifierParts): Verifier {
  const streaks = new Map<string, StreakCheck>();
  let lagMs = MIN_LAG_MS;

  const reportAll = (differences: readonly Difference[] = []) => {
    for (const difference of differences) report(difference);
  };
  /** Reports a row that is damaged and continues with the next one: nothing else is known to be damaged. */
  const unlessDamaged = (id: string, verify: () => void) => {
    try {
      verify();
    } catch (error) {
      report({ kind: 'damaged', id, what: `it cannot be used as it is stored: ${(error as Error).message}` });
    }
  };
  return {
    endpoint: (endpoint) =>
      unlessDamaged(endpoint.id, () => {
        reportAll(verifyEndpoint(endpoint));
        const { id, streakVersion, consecutiveFailures, createdAt, failingSince } = endpoint;
        const end = { streakVersion, consecutiveFailures, createdAt, failingSince };
        streaks.set(id, createStreakCheck(id, end));
      }),
    audit: (entry) => unlessDamaged(entry.id, () => reportAll(streaks.get(entry.target.id)?.audit(entry))),
    delivery: (delivery, attempts, endpoints) =>
      unlessDamaged(delivery.id, () => {
        reportAll(verifyDelivery(delivery, attempts, overdueBefore));
        reportAll(verifyOwner(delivery, endpoints));
        for (const attempt of attempts) {
          if (attempt.streak !== null)
            lagMs = Math.max(lagMs, attempt.attemptedAt.getTime() - delivery.createdAt.getTime());
          reportAll(streaks.get(attempt.endpointId)?.attempt(attempt));
        }
      }),
    orphan({ deliveryId, ordinal }) {
      report({ kind: 'owner', id: deliveryId, what: `record ${ordinal} exists, but its delivery does not` });
    },
    endpointsToReread: () => [...streaks].flatMap(([id, streak]) => (streak.hasNewer() ? [id] : [])),
    finish(reread) {
      const since = new Date(completeSince.getTime() + lagMs);
      for (const [id, streak] of streaks) reportAll(streak.finish(since, reread.get(id)?.streakVersion));
    },
  };
}

function verifyOwner({ id, workspaceId, endpointId }: DeliveryFields, endpoints: Endpoints): Difference[] {
  const owner = endpoints.get(endpointId);
  if (owner === undefined) return [{ kind: 'owner', id, what: 'its endpoint is missing' }];
  if (owner.workspaceId === workspaceId) return [];
  return [{ kind: 'owner', id, what: 'its endpoint belongs to another workspace' }];
}
