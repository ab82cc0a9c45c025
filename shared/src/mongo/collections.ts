import type { Collection, Db } from 'mongodb';
import type { ApiToken } from '../domain/api-token.js';
import type { AuditEvent } from '../domain/audit-event.js';
import type { ConformanceCheck } from '../domain/conformance-check.js';
import type { AttemptFields, Delivery, DeliveryFields } from '../domain/delivery.js';
import type { StatCount } from '../domain/delivery-stats.js';
import type { Endpoint } from '../domain/endpoint.js';
import type { PlainIds } from '../domain/id.js';
import type { Invitation } from '../domain/invitation.js';
import type { Member } from '../domain/member.js';
import type { Notification } from '../domain/notification.js';
import type { PortalLink } from '../domain/portal-link.js';
import type { ReplayJob } from '../domain/replay-job.js';
import type { SealedSecret } from '../domain/sealed-secret.js';
import type { Workspace } from '../domain/workspace.js';
import type { GuardRecord } from '../ports/outage-guard.js';
import type { OutboxRecord } from '../ports/outbox.js';
import type { TaskRun } from '../ports/task-runs.js';

/**
 * A domain object as it is stored: its `id` is the document's `_id`. A union becomes one loose type: a stored row may
 * contradict its state.
 */
export type Document<T extends { readonly id: string }> = {
  readonly [Field in Exclude<keyof T, 'id'>]: PlainIds<T[Field]>;
} & { readonly _id: string };

/**
 * `dueAt` exists exactly while the row is not terminal: a partial index finds those rows. `records` are the delivery's
 * attempts since feature level 2, at most eight and by ordinal; it is absent before the first. Those of level 1 are in
 * `delivery_attempts`.
 */
export type DeliveryDocument = Omit<
  Document<DeliveryFields>,
  'dueAt' | 'class' | 'heldSince' | 'probeOf' | 'lastResponse'
> &
  Pick<DeliveryFields, 'class' | 'heldSince' | 'probeOf' | 'lastResponse'> &
  Pick<Delivery, 'payload'> & { readonly dueAt?: Date; readonly records?: readonly RecordDocument[] };

/** An attempt within its delivery's row, which has its other fields. */
export type RecordDocument = Omit<AttemptDocument, '_id' | 'deliveryId' | 'workspaceId' | 'endpointId'>;

/** Filters of deliveries: exactly the terminal ones have no due time, and they stay terminal. */
export const STILL_DUE = { dueAt: { $exists: true } } as const;
/** The same rows as `STILL_DUE`, by a condition that the keys of their index decide without reading the rows. */
export const ALL_DUE = { dueAt: { $gt: new Date(0) } } as const;
/** The index that has only those rows. */
export const BY_DUE_TIME = { endpointId: 1, dueAt: 1 } as const;
export const HAS_ENDED = { dueAt: { $exists: false } } as const;

/**
 * Filter of deliveries: those that are held, by a condition that the keys of their indexes decide without reading the rows. If the
 * rows have to be read, the database may choose an index that has all rows.
 */
export const ARE_HELD = { heldSince: { $gt: new Date(0) } } as const;

/** Filters of endpoints: the ones that are not deleted, as a partial index has them. */
export const LIVE = { deletedAt: null } as const;

/** Filter of endpoints: all but those that were deleted before a time. Deleted ones may be far more than live ones. */
export const notDeletedBefore = (at: Date) => ({ deletedAt: { $not: { $lt: at } } }) as const;
/** The index that has only the endpoints of that filter. */
export const BY_DELETION = { workspaceId: 1, deletedAt: 1, _id: 1 } as const;

/** The index that has the active replay jobs by who created them. */
export const BY_ACTOR_AND_LEASE = { 'actor.type': 1, leaseUntil: 1 } as const;

/** Endpoints with a planned recovery probe; a partial index has them. */
export const HAS_RECOVERY_PROBE = { probeAt: { $gt: new Date(0) } } as const;

/** How far a large event is fanned out; `_id` is the event's key, in older documents its identifier. */
export interface FanOutProgressDocument {
  readonly _id: string;
  readonly after: string;
  readonly isComplete: boolean;
  readonly storedAt: Date;
}

/** An event for which no delivery was stored; `_id` is its key, in older documents its identifier. */
export interface UnmatchedEventDocument {
  readonly _id: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly occurredAt: Date;
}

/** An attempt of feature level 1. `_id` is `deliveryId:ordinal`: an attempt can be written once. */
export type AttemptDocument = Omit<
  Document<AttemptFields & { readonly id: string }>,
  'timings' | 'remoteAddress' | 'errorDetail'
> &
  Pick<AttemptFields, 'timings' | 'remoteAddress' | 'errorDetail'>;

/** `guard` is incremented by transactions whose rule spans several members, so that two of them conflict. */
export type WorkspaceDocument = Document<Workspace> & {
  readonly guard: number;
  /** The quotas that an operator set for this workspace alone. */
  readonly quotas?: { readonly endpoints?: number; readonly tokens?: number };
};

export type TokenDocument = Document<ApiToken> & {
  /** Whether the revocation of the tokens that it made is still in progress; absent if it never began. */
  readonly family?: 'pending' | 'done';
};

export type OutboxDocument = Document<OutboxRecord> & {
  /** Until then only the claimant publishes it; absent once the record is set aside. */
  readonly claimedUntil?: Date;
  /** The end of its writer's first claim: after that an unpublished record is overdue. */
  readonly dueAt?: Date;
  /** Present once it is set aside. */
  readonly setAsideAt?: Date;
  readonly claim?: string;
  readonly failures: number;
  readonly lastFailure?: string;
};

/** The last run of a task; `_id` is its name. */
export type TaskRunDocument = Omit<TaskRun, 'task' | 'result'> & {
  readonly _id: string;
  /** By the last successful run; null if there was none. */
  readonly handled: number | null;
  readonly lastSuccessAt: Date | null;
  /** The beginning of the first run that had too little time; absent if a run had enough since. */
  readonly unfinishedSince?: Date;
};

/** A job is leased to the process that runs it; once it has ended, it has an expiry instead. */
export type ReplayJobDocument = Document<ReplayJob> & {
  readonly leaseHolder?: string;
  /** Any process may take the lease after this. Present exactly while the job is active. */
  readonly leaseUntil?: Date;
  /** When the database removes the document. Present once the job has ended. */
  readonly expiresAt?: Date;
};

/** A running check is leased to the process that runs it. */
export type ConformanceCheckDocument = Document<ConformanceCheck> & {
  readonly leaseHolder?: string;
  /** Any process may take the lease after this. Present exactly while the check is running. */
  readonly leaseUntil?: Date;
  /** When the database removes the document. */
  readonly expiresAt: Date;
};

/** Some of the deliveries that a job matched, oldest first. `_id` is the job and the place of the first one. */
export interface ReplaySourcesDocument {
  readonly _id: string;
  readonly first: number;
  readonly ids: readonly string[];
  /** When the database removes the document, if the end of the job did not. */
  readonly expiresAt: Date;
}

/** Written with the first replay of a delivery: of two transactions that replay it first at the same time, one conflicts. */
export interface ReplayClaimDocument {
  /** The replayed delivery. */
  readonly _id: string;
  readonly replayId: string;
  /** When the database removes the document: the replay itself is the lasting evidence. */
  readonly expiresAt: Date;
}

/** Requests of one client in one bucket, within one window. */
export interface RateLimitDocument {
  readonly key: string;
  readonly points: number;
  /** The end of the window. */
  readonly expire: Date;
}

/** A key in use, or used. `_id` is a digest of scope and key: the key itself may be sensitive. */
export interface IdempotencyDocument {
  readonly _id: string;
  readonly fingerprint: string;
  /** The process that runs the request, and when its lease expires. */
  readonly claim: string;
  readonly claimedUntil: Date;
  /** The response, encrypted because it may contain a secret; null while the request runs. */
  readonly answer: SealedSecret | null;
  /** The endpoint whose secret the response contains; absent if there is none. */
  readonly secretOf?: string;
  /** When the database removes the document. */
  readonly expiresAt: Date;
}

/** Rows of one kind that a workspace is being given; `_id` is the kind and the workspace. */
export interface QuotaPlacesDocument {
  readonly _id: string;
  /** In the order in which they were taken. */
  readonly places: readonly {
    /** The id of the row. */
    readonly id: string;
    /** When the place becomes free if its process has died. */
    readonly until: Date;
  }[];
  /** How many places were ever taken; absent if only older versions wrote the document. */
  readonly taken?: number;
  /** The last count; absent before the first. */
  readonly counted?: PlaceCount;
}

/** An upper bound for the number of rows. */
export interface PlaceCount {
  readonly rows: number;
  /** How many places had been taken before: their rows are included. */
  readonly taken: number;
  readonly at: Date;
}

/** A type of the catalogue; `_id` is its name. */
export interface EventTypeDocument {
  readonly _id: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly version: number;
  /** JSON */
  readonly schema: string;
  /** JSON */
  readonly examples: string;
  readonly changedAt: Date;
}

/**
 * The evidence of one dispatcher's outage guard, whose `_id` identifies the process; or that a dispatcher holds sending because
 * of its clock. The latter has no evidence and does not hold, because dispatchers follow those that hold for an outage.
 */
export interface OutageGuardDocument extends Omit<GuardRecord, 'origins'> {
  readonly _id: string;
  /** Absent in documents of older versions. */
  readonly origins?: GuardRecord['origins'];
  /** Null if it does not hold sending. Absent in documents of older versions. */
  readonly heldSince?: Date | null;
  /** Since when the dispatcher has held sending because of its clock. Absent in records of evidence. */
  readonly clockHeldSince?: Date;
  /** When the database removes the document. */
  readonly expiresAt: Date;
}

/** The open streams of one api process. `_id` identifies the process. */
export interface OpenStreamsDocument {
  readonly _id: string;
  /** By credential. */
  readonly streams: Readonly<Record<string, number>>;
  /** When the process counts as dead, and the database may remove the document. */
  readonly expiresAt: Date;
}

/** The counts of an endpoint, or of a workspace, in one hour; `_id` is the owner and the hour. */
export type StatsDocument = HourOfCounts & {
  readonly _id: string;
  readonly hour: Date;
  /** Changes with each addition. */
  readonly version: number;
  /** The part of late outcomes, which the other counts include. */
  readonly late?: HourOfCounts;
};

type HourOfCounts = Partial<Readonly<Record<StatCount, number>>> & {
  /** By bucket. */
  readonly latency?: Readonly<Record<string, number>>;
};

export interface Collections {
  readonly workspaces: Collection<WorkspaceDocument>;
  readonly members: Collection<Document<Member>>;
  readonly invitations: Collection<Document<Invitation>>;
  readonly apiTokens: Collection<TokenDocument>;
  readonly portalLinks: Collection<Document<PortalLink>>;
  readonly endpoints: Collection<Document<Endpoint>>;
  readonly deliveries: Collection<DeliveryDocument>;
  readonly attempts: Collection<AttemptDocument>;
  readonly fanOutProgress: Collection<FanOutProgressDocument>;
  readonly unmatchedEvents: Collection<UnmatchedEventDocument>;
  readonly replayJobs: Collection<ReplayJobDocument>;
  readonly replaySources: Collection<ReplaySourcesDocument>;
  readonly replayClaims: Collection<ReplayClaimDocument>;
  readonly conformanceChecks: Collection<ConformanceCheckDocument>;
  readonly notifications: Collection<Document<Notification>>;
  readonly auditEvents: Collection<Document<AuditEvent>>;
  readonly outbox: Collection<OutboxDocument>;
  readonly eventTypes: Collection<EventTypeDocument>;
  readonly taskRuns: Collection<TaskRunDocument>;
  readonly idempotencyKeys: Collection<IdempotencyDocument>;
  readonly quotaPlaces: Collection<QuotaPlacesDocument>;
  readonly rateLimits: Collection<RateLimitDocument>;
  readonly outageGuards: Collection<OutageGuardDocument>;
  readonly openStreams: Collection<OpenStreamsDocument>;
  readonly endpointStats: Collection<StatsDocument>;
  readonly workspaceStats: Collection<StatsDocument>;
}

export function collectionsOf(db: Db): Collections {
  return {
    workspaces: db.collection('workspaces'),
    members: db.collection('members'),
    invitations: db.collection('invitations'),
    apiTokens: db.collection('api_tokens'),
    portalLinks: db.collection('portal_links'),
    endpoints: db.collection('endpoints'),
    deliveries: db.collection('deliveries'),
    attempts: db.collection('delivery_attempts'),
    fanOutProgress: db.collection('fan_out_progress'),
    unmatchedEvents: db.collection('unmatched_events'),
    replayJobs: db.collection('replay_jobs'),
    replaySources: db.collection('replay_sources'),
    replayClaims: db.collection('replay_claims'),
    conformanceChecks: db.collection('conformance_checks'),
    notifications: db.collection('notifications'),
    auditEvents: db.collection('audit_events'),
    outbox: db.collection('outbox'),
    eventTypes: db.collection('event_types'),
    taskRuns: db.collection('task_runs'),
    idempotencyKeys: db.collection('idempotency_keys'),
    quotaPlaces: db.collection('quota_places'),
    // A lost record is written again after seconds.
    outageGuards: db.collection('outage_guards', { writeConcern: { w: 1, journal: false } }),
    openStreams: db.collection('open_streams', { writeConcern: { w: 1, journal: false } }),
    // The janitor counts again what is lost.
    endpointStats: db.collection('endpoint_stats', { writeConcern: { w: 1, journal: false } }),
    workspaceStats: db.collection('workspace_stats', { writeConcern: { w: 1, journal: false } }),
    // A lost count is harmless, and every request waits for the write.
    rateLimits: db.collection('rate_limits', { writeConcern: { w: 1, journal: false } }),
  };
}
