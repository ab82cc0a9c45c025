/** All moments are in milliseconds of this machine's clock, which the database shares. */

/** A call that the api accepted and that the workspace's endpoints have to hear of. */
export interface AcceptedEvent {
  /** The token that the call made: its event carries the same. */
  readonly tokenId: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** A replay or test that the api accepted. */
export interface AcceptedSend {
  readonly kind: 'replay' | 'test';
  readonly deliveryId: string;
  readonly sourceId: string | null;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** One POST as the receiver saw it. */
export interface Received {
  readonly deliveryId: string;
  /** The endpoint as the receiver knows it: the path of its URL. */
  readonly path: string;
  readonly at: number;
  /** Does one of its signatures fit a secret of the endpoint, and its timestamp the time? */
  readonly verified: boolean;
  readonly bodyHash: string;
  /** What its body says; null where it cannot be read. */
  readonly said: { readonly deliveryId: unknown; readonly tokenId: unknown } | null;
  /** Null until it is answered, and for good where the receiver hangs up or says nothing. */
  answer: { readonly status: number; readonly at: number } | null;
}

/** What a summary keeps of the last attempt, and what an attempt says of itself. */
export interface AttemptFacts {
  readonly ordinal: number;
  readonly failureReason: string | null;
  readonly httpStatus: number | null;
  readonly responseBody: string | null;
  readonly attemptedAt: number;
  readonly durationMs: number | null;
}

export interface Row {
  readonly id: string;
  readonly endpointId: string;
  readonly eventType: string;
  /** Of the event that it tells of; null for tests. */
  readonly tokenId: string | null;
  readonly payloadHash: string;
  readonly status: string;
  readonly failureReason: string | null;
  readonly attempts: number;
  readonly lastAttempt: AttemptFacts | null;
  readonly nextAttemptAt: number | null;
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly replayedFrom: string | null;
  readonly failingSince: number | null;
  /** Of the whole document. */
  readonly hash: string;
}

export interface StreakChange {
  readonly version: number;
  readonly before: number;
  readonly after: number;
}

export interface AttemptRow extends AttemptFacts {
  readonly id: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly status: string;
  readonly streak: StreakChange | null;
  /** Of the whole document. */
  readonly hash: string;
}

export interface EndpointRow {
  readonly id: string;
  readonly path: string;
  readonly eventTypes: readonly string[];
  readonly enabled: boolean;
  readonly deleted: boolean;
  readonly streak: number;
  readonly streakVersion: number;
  readonly createdAt: number;
}

export interface AuditRow {
  readonly id: string;
  readonly action: string;
  readonly targetId: string;
  /** The row that the call made: a replay's or a test's. */
  readonly madeId: string | null;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly streak: StreakChange | null;
}

export interface NotificationRow {
  readonly id: string;
  readonly kind: string;
  readonly endpointId: string | null;
  readonly failingSince: number | null;
}

/** The database at one moment. */
export interface Snapshot {
  readonly at: number;
  readonly rows: ReadonlyMap<string, Row>;
  readonly attempts: ReadonlyMap<string, AttemptRow>;
  readonly endpoints: ReadonlyMap<string, EndpointRow>;
  readonly audits: readonly AuditRow[];
  readonly notifications: readonly NotificationRow[];
  /** Records that are promised and not published. */
  readonly outbox: readonly string[];
}

/** What may make somebody POST again what somebody else has POSTed. */
export interface Disruption {
  readonly at: number;
  /** A dispatcher has died, or others took over partitions of one that lives and may not know it yet. */
  readonly kind: 'death' | 'move';
}

/** What a fault takes away from all dispatchers, so that nothing can go on. */
export type Outage = 'broker' | 'database' | 'dispatchers';

/** What was done to the system, as far as it excuses something. */
export interface Circumstances {
  readonly stepMs: number;
  /** POSTs that a dispatcher has made and not recorded yet, at most: in flight, or answered and to be settled. */
  readonly mostOpen: number;
  /** How long a POST takes at most, in milliseconds: then its sender gives up. */
  readonly timeoutMs: number;
  readonly disruptions: readonly Disruption[];
  readonly faultBegan: number | null;
  readonly faultEnded: number | null;
  /** What the fault stops for everybody; null where the system can go on during it. */
  readonly outage: Outage | null;
  /** How long deliveries are kept, where somebody removes them during the run. */
  readonly retentionMs: number | null;
  /** Endpoints that get more than they can take: their rows may be late. */
  readonly overloaded: ReadonlySet<string>;
  /** Endpoints by path whose neighbours are ill, and that must not notice; empty where the fault is not of that kind. */
  readonly healthy: ReadonlySet<string>;
}

/** Three logs that nobody of the system wrote, and its database. */
export interface Evidence {
  readonly events: readonly AcceptedEvent[];
  readonly sends: readonly AcceptedSend[];
  readonly received: readonly Received[];
  readonly now: Snapshot;
  readonly before: Snapshot | null;
  /** When each row was first seen. */
  readonly firstSeen: ReadonlyMap<string, number>;
  /** When the oracle looked: its process, which the receiver is in as well, may have stood still then. */
  readonly looks: readonly Look[];
  readonly circumstances: Circumstances;
}

export interface Look {
  readonly from: number;
  readonly to: number;
}

/** What must always be true. @returns what contradicts it, in words */
export type Invariant = (evidence: Evidence) => readonly string[];

export const TERMINAL: ReadonlySet<string> = new Set(['delivered', 'failed_permanent', 'dead_lettered']);
/** Reasons of records that end a delivery without an attempt. */
export const BOOKKEEPING: ReadonlySet<string> = new Set([
  'endpoint_disabled',
  'endpoint_deleted',
  'retries_exhausted',
]);

export const isBookkeeping = ({ failureReason }: AttemptRow): boolean =>
  failureReason !== null && BOOKKEEPING.has(failureReason);

/** Attempts by delivery, each in the order of its ordinals. */
export function attemptsByDelivery({ attempts }: Snapshot): ReadonlyMap<string, readonly AttemptRow[]> {
  const groups = Map.groupBy(attempts.values(), ({ deliveryId }) => deliveryId);
  for (const group of groups.values()) group.sort((a, b) => a.ordinal - b.ordinal);
  return groups;
}
