import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { AttemptFields, DeliveryFields } from '@postrider/shared/domain/delivery';
import { type EndpointFields, FAILURES_THAT_DISABLE } from '@postrider/shared/domain/endpoint';
import type { Difference } from './difference.js';
import { createStreakChain, type StreakChain, type StreakEnd } from './streak-chain.js';
import { verifyDelivery } from './verify-delivery.js';
import { verifyEndpoint } from './verify-endpoint.js';

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

/** Kept small, because there may be many endpoints. */
interface VerifiedEndpoint {
  readonly end: StreakEnd;
  readonly chain: StreakChain;
  /** The audit entries of automatic disablings by streak version. */
  readonly disablings: Map<number, { readonly id: string; readonly at: Date; hasAttempt: boolean }>;
  newest: number;
}

/** How long after its delivery an attempt is assumed to come; longer lags are measured. */
const MIN_LAG_MS = 24 * 60 * 60 * 1_000;

export function createVerifier({ report, overdueBefore, completeSince }: VerifierParts): Verifier {
  const verified = new Map<string, VerifiedEndpoint>();
  let lagMs = MIN_LAG_MS;

  const addAttempt = (attempt: AttemptFields) => {
    const { endpointId, streak, attemptedAt } = attempt;
    const endpoint = verified.get(endpointId);
    if (streak === null || endpoint === undefined) return;
    endpoint.newest = Math.max(endpoint.newest, streak.version);
    if (streak.version > endpoint.end.streakVersion) return;
    const problem = endpoint.chain.add({ ...streak, at: attemptedAt });
    if (problem !== null)
      report({ kind: 'streak', id: endpointId, what: `${problem} (${attempt.deliveryId})` });
    if (streak.after === FAILURES_THAT_DISABLE) matchDisabling(endpoint, attempt, streak.version);
  };
  const matchDisabling = (
    { disablings }: VerifiedEndpoint,
    { endpointId, deliveryId }: AttemptFields,
    version: number,
  ) => {
    const entry = disablings.get(version);
    if (entry !== undefined) entry.hasAttempt = true;
    else
      report({ kind: 'disabling', id: endpointId, what: `${deliveryId} disabled it without an audit entry` });
  };
  const finishEndpoint = (
    id: string,
    { end, chain, disablings, newest }: VerifiedEndpoint,
    reread: Endpoints,
  ) => {
    const since = new Date(completeSince.getTime() + lagMs);
    for (const what of chain.finish(end, since)) report({ kind: 'streak', id, what });
    for (const [version, entry] of disablings) {
      if (entry.hasAttempt || entry.at < since || version > end.streakVersion) continue;
      report({
        kind: 'disabling',
        id,
        what: `audit event ${entry.id} records a disabling that no attempt caused`,
      });
    }
    const stored = reread.get(id)?.streakVersion ?? newest;
    if (stored < newest)
      report({ kind: 'streak', id, what: `version ${newest} was reached, but version ${stored} is stored` });
  };

  return {
    endpoint(endpoint) {
      for (const difference of verifyEndpoint(endpoint)) report(difference);
      const { streakVersion, consecutiveFailures, createdAt, failingSince } = endpoint;
      const end = { streakVersion, consecutiveFailures, createdAt, failingSince };
      verified.set(endpoint.id, { end, chain: createStreakChain(), disablings: new Map(), newest: 0 });
    },
    audit({ id, action, actor, target, streak, createdAt }) {
      const endpoint = verified.get(target.id);
      if (streak === null || endpoint === undefined) return;
      endpoint.newest = Math.max(endpoint.newest, streak.version);
      if (action === 'webhook_endpoint.disabled' && actor.type === 'system') {
        const known = endpoint.disablings.get(streak.version);
        if (known === undefined)
          endpoint.disablings.set(streak.version, { id, at: createdAt, hasAttempt: false });
        else
          report({
            kind: 'disabling',
            id: target.id,
            what: `${known.id} and ${id} record the same disabling`,
          });
        return;
      }
      const problem =
        streak.version > endpoint.end.streakVersion ? null : endpoint.chain.add({ ...streak, at: createdAt });
      if (problem !== null) report({ kind: 'streak', id: target.id, what: `${problem} (${id})` });
    },
    delivery(delivery, attempts, endpoints) {
      for (const difference of verifyDelivery(delivery, attempts, overdueBefore)) report(difference);
      const owner = endpoints.get(delivery.endpointId);
      if (owner?.workspaceId !== delivery.workspaceId) {
        const what =
          owner === undefined ? 'its endpoint is missing' : 'its endpoint belongs to another workspace';
        report({ kind: 'owner', id: delivery.id, what });
      }
      for (const attempt of attempts) {
        if (attempt.streak !== null)
          lagMs = Math.max(lagMs, attempt.attemptedAt.getTime() - delivery.createdAt.getTime());
        addAttempt(attempt);
      }
    },
    orphan({ deliveryId, ordinal }) {
      report({ kind: 'owner', id: deliveryId, what: `record ${ordinal} exists, but its delivery does not` });
    },
    endpointsToReread: () =>
      [...verified].flatMap(([id, { end, newest }]) => (newest > end.streakVersion ? [id] : [])),
    finish(reread) {
      for (const [id, endpoint] of verified) finishEndpoint(id, endpoint, reread);
    },
  };
}
