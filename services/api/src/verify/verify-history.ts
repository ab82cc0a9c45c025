import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { AttemptFields, DeliveryFields } from '@postrider/shared/domain/delivery';
import { type EndpointFields, FAILURES_THAT_DISABLE } from '@postrider/shared/domain/endpoint';
import type { Difference } from './difference.js';
import { createStreakChain, type StreakChain, type StreakEnd } from './streak-chain.js';
import { verifyDelivery } from './verify-delivery.js';
import { verifyEndpoint } from './verify-endpoint.js';

/**
 * Takes the stored history in, piece by piece, and tells of every difference. Endpoints come first, then audit events,
 * then deliveries: what an endpoint said then is complete in what is read after it. Links of a streak that are newer
 * than that are left to the next run, except that the endpoint must know of them when it is read again.
 */
export interface Verifier {
  endpoint(endpoint: EndpointFields): void;
  audit(entry: AuditEvent): void;
  /** @param endpoints as they were at the moment at which the row was read */
  delivery(delivery: DeliveryFields, attempts: readonly AttemptFields[], endpoints: Endpoints): void;
  /** An attempt without a delivery. */
  orphan(attempt: AttemptFields): void;
  /** Endpoints with links newer than what they said: read them again before the end. */
  outrun(): readonly string[];
  /** The end: what the streaks come to. */
  finish(again: Endpoints): void;
}

type Endpoints = ReadonlyMap<string, Pick<EndpointFields, 'workspaceId' | 'streakVersion'>>;

export interface VerifierParts {
  readonly tell: (difference: Difference) => void;
  /** What was due before this should have been done. */
  readonly overdueBefore: Date;
  /** Deliveries from then on are read, and none of them has expired. */
  readonly completeSince: Date;
}

/** What is remembered of an endpoint: it must stay small, there may be many. */
interface Remembered {
  readonly end: StreakEnd;
  readonly chain: StreakChain;
  /** Audit entries of disablings by failures that no attempt has told of yet: version → entry. */
  readonly disablings: Map<number, { readonly id: string; readonly at: Date; isMet: boolean }>;
  newest: number;
}

/** An attempt may come this long after its delivery, in milliseconds, or later: as late as any that is seen. */
const USUAL_LAG_MS = 24 * 60 * 60 * 1_000;

export function createVerifier({ tell, overdueBefore, completeSince }: VerifierParts): Verifier {
  const remembered = new Map<string, Remembered>();
  let lagMs = USUAL_LAG_MS;

  const link = (attempt: AttemptFields) => {
    const { endpointId, streak, attemptedAt } = attempt;
    const endpoint = remembered.get(endpointId);
    if (streak === null || endpoint === undefined) return;
    endpoint.newest = Math.max(endpoint.newest, streak.version);
    if (streak.version > endpoint.end.streakVersion) return;
    const wrong = endpoint.chain.add({ ...streak, at: attemptedAt });
    if (wrong !== null) tell({ kind: 'streak', id: endpointId, what: `${wrong} (${attempt.deliveryId})` });
    if (streak.after === FAILURES_THAT_DISABLE) meet(endpoint, attempt, streak.version);
  };
  const meet = ({ disablings }: Remembered, { endpointId, deliveryId }: AttemptFields, version: number) => {
    const entry = disablings.get(version);
    if (entry !== undefined) entry.isMet = true;
    else
      tell({ kind: 'disabling', id: endpointId, what: `${deliveryId} disabled it without an audit entry` });
  };
  const finishOne = (id: string, { end, chain, disablings, newest }: Remembered, again: Endpoints) => {
    const since = new Date(completeSince.getTime() + lagMs);
    for (const what of chain.finish(end, since)) tell({ kind: 'streak', id, what });
    for (const [version, entry] of disablings) {
      if (entry.isMet || entry.at < since || version > end.streakVersion) continue;
      tell({
        kind: 'disabling',
        id,
        what: `audit event ${entry.id} tells of a disabling that no attempt made`,
      });
    }
    const stored = again.get(id)?.streakVersion ?? newest;
    if (stored < newest)
      tell({ kind: 'streak', id, what: `version ${newest} happened, but it stands at ${stored}` });
  };

  return {
    endpoint(endpoint) {
      for (const difference of verifyEndpoint(endpoint)) tell(difference);
      const { streakVersion, consecutiveFailures, createdAt, failingSince } = endpoint;
      const end = { streakVersion, consecutiveFailures, createdAt, failingSince };
      remembered.set(endpoint.id, { end, chain: createStreakChain(), disablings: new Map(), newest: 0 });
    },
    audit({ id, action, actor, target, streak, createdAt }) {
      const endpoint = remembered.get(target.id);
      if (streak === null || endpoint === undefined) return;
      endpoint.newest = Math.max(endpoint.newest, streak.version);
      if (action === 'webhook_endpoint.disabled' && actor.type === 'system') {
        const known = endpoint.disablings.get(streak.version);
        if (known === undefined) endpoint.disablings.set(streak.version, { id, at: createdAt, isMet: false });
        else
          tell({
            kind: 'disabling',
            id: target.id,
            what: `${known.id} and ${id} tell of the same disabling`,
          });
        return;
      }
      const wrong =
        streak.version > endpoint.end.streakVersion ? null : endpoint.chain.add({ ...streak, at: createdAt });
      if (wrong !== null) tell({ kind: 'streak', id: target.id, what: `${wrong} (${id})` });
    },
    delivery(delivery, attempts, endpoints) {
      for (const difference of verifyDelivery(delivery, attempts, overdueBefore)) tell(difference);
      const owner = endpoints.get(delivery.endpointId);
      if (owner?.workspaceId !== delivery.workspaceId) {
        const what = owner === undefined ? 'its endpoint is gone' : 'its endpoint is of another workspace';
        tell({ kind: 'owner', id: delivery.id, what });
      }
      for (const attempt of attempts) {
        if (attempt.streak !== null)
          lagMs = Math.max(lagMs, attempt.attemptedAt.getTime() - delivery.createdAt.getTime());
        link(attempt);
      }
    },
    orphan({ deliveryId, ordinal }) {
      tell({ kind: 'owner', id: deliveryId, what: `record ${ordinal} is there, but its delivery is not` });
    },
    outrun: () =>
      [...remembered].flatMap(([id, { end, newest }]) => (newest > end.streakVersion ? [id] : [])),
    finish(again) {
      for (const [id, endpoint] of remembered) finishOne(id, endpoint, again);
    },
  };
}
