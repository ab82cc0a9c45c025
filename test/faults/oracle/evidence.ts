import type { AttemptRow, Snapshot } from './snapshot.js';

/** All times are in milliseconds of this machine's clock, which is also the database's. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** A call accepted by the api whose event has to reach the subscribed endpoints. */
export interface AcceptedEvent {
  /** The token created by the call, which its event carries. */
  readonly tokenId: string;
  readonly sentAt: number;
  readonly answeredAt: number;
  /** The slug of its workspace; absent for the load's. */
  readonly workspace?: string;
}

/** A replay or test accepted by the api. */
export interface AcceptedSend {
  readonly kind: 'replay' | 'test';
  readonly deliveryId: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** One received POST. */
export interface Received {
  readonly deliveryId: string;
  /** Path of the URL, which identifies the endpoint. */
  readonly path: string;
  readonly at: number;
  /** One of its signatures matches a secret of the endpoint, and its timestamp is within the tolerance. */
  readonly verified: boolean;
  readonly bodyHash: string;
  /** Identifiers in the body; null for an unreadable body. */
  readonly content: { readonly deliveryId: unknown; readonly tokenId: unknown } | null;
  /** Null until it is answered, and forever if the receiver closes the connection or does not respond. */
  answer: { readonly status: number; readonly at: number } | null;
  /** The receiver closed the connection without a response. */
  readonly isReset: boolean;
}

/** An event after which a POST may be repeated. */
export interface Disruption {
  readonly at: number;
  /** A dispatcher ended, or lost partitions while it was alive and possibly unaware of it. */
  readonly kind: 'exit' | 'reassignment';
}

/** A dependency that a fault makes unavailable to all dispatchers, so that no delivery can proceed. */
export type Outage = 'broker' | 'database' | 'dispatchers';

/** Facts about the run that an invariant has to allow for. */
export interface Conditions {
  readonly stepMs: number;
  /** Maximum number of POSTs that one dispatcher can have sent and not recorded. */
  readonly maxUnrecorded: number;
  /** The time after which a POST has ended, including the reading of its response body. */
  readonly timeoutMs: number;
  /** The time after which a POST without an answer times out. */
  readonly answerTimeoutMs: number;
  readonly disruptions: readonly Disruption[];
  readonly faultBegan: number | null;
  readonly faultEnded: number | null;
  /** Null if some dispatcher can work during the fault. */
  readonly outage: Outage | null;
  /** Retention of deliveries, if they are removed during the run. */
  readonly retentionMs: number | null;
  /** Ids of endpoints that receive more than they can handle: their deliveries may be late. */
  readonly overloaded: ReadonlySet<string>;
  /** The slugs of the workspaces of endpoints outside the load's workspace, by endpoint id. */
  readonly otherWorkspaces: ReadonlyMap<string, string>;
  /** Paths of endpoints that must not slow down; empty if the fault does not compare speeds. */
  readonly healthy: ReadonlySet<string>;
}

/** Logs of calls and POSTs written outside the system, and its stored data. */
export interface Evidence {
  readonly events: readonly AcceptedEvent[];
  readonly sends: readonly AcceptedSend[];
  readonly received: readonly Received[];
  readonly now: Snapshot;
  readonly before: Snapshot | null;
  /** When each delivery was first seen. */
  readonly firstSeen: ReadonlyMap<string, number>;
  /** When the oracle checked: the receiver shares its process and may have been blocked. */
  readonly checks: readonly Interval[];
  readonly conditions: Conditions;
}

/** Checks one property of the evidence. @returns a sentence per violation */
export type Invariant = (evidence: Evidence) => readonly string[];

export const MAX_ATTEMPTS = 7;
export const TERMINAL: ReadonlySet<string> = new Set(['delivered', 'failed_permanent', 'dead_lettered']);
const BOOKKEEPING: ReadonlySet<string | null> = new Set([
  'endpoint_disabled',
  'endpoint_deleted',
  'retries_exhausted',
]);

/** A bookkeeping record closes a delivery without a POST. */
export const isBookkeeping = ({ failureReason }: AttemptRow): boolean => BOOKKEEPING.has(failureReason);
export const isPost = (attempt: AttemptRow): boolean => !isBookkeeping(attempt);

/** The attempts of each delivery, ordered by ordinal. */
export function attemptsByDelivery({ attempts }: Snapshot): ReadonlyMap<string, readonly AttemptRow[]> {
  const groups = Map.groupBy(attempts.values(), ({ deliveryId }) => deliveryId);
  for (const group of groups.values()) group.sort((a, b) => a.ordinal - b.ordinal);
  return groups;
}

export function countBy<T>(items: Iterable<T>): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
