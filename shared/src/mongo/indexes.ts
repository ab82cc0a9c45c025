import type { IndexDescription } from 'mongodb';
import { FAILURE_STATUSES } from '../domain/delivery.js';
import { BY_ACTOR_AND_LEASE, type Collections, HAS_RECOVERY_PROBE, LIVE, STILL_DUE } from './collections.js';

/** Only active jobs have a lease. */
const ACTIVE_JOB = { leaseUntil: { $exists: true } };

/** Invitations are removed 30 days after their expiry, like deliveries. */
const ENDED_INVITATION_KEPT_S = 30 * 24 * 60 * 60;

/**
 * Longer than events usually stay on their topic: 7 days, and in a segment that is rarely rolled up to 7 more. Without its
 * progress, an event that is read again is fanned out from the beginning, and finds the rows that exist.
 */
const FAN_OUT_PROGRESS_KEPT_S = 8 * 24 * 60 * 60;

/**
 * Every index with the query that it serves. `_id` is time-ordered everywhere and serves order and date filters.
 * Each index of `deliveries` costs the database 10 to 15 µs per delivery.
 */
export const INDEXES: Readonly<Record<keyof Collections, readonly IndexDescription[]>> = {
  workspaces: [
    // the slug of every route
    { key: { slug: 1 }, unique: true },
  ],
  members: [
    // list_members, forward on id
    { key: { workspaceId: 1, _id: 1 } },
    // one membership per address
    { key: { workspaceId: 1, email: 1 }, unique: true },
    // the check for another owner
    { key: { workspaceId: 1, role: 1 } },
  ],
  invitations: [
    // list_invitations, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
    // one open invitation per address
    {
      key: { workspaceId: 1, email: 1 },
      unique: true,
      partialFilterExpression: { state: 'pending' },
    },
    // removes old invitations; the audit trail keeps their history
    { key: { expiresAt: 1 }, expireAfterSeconds: ENDED_INVITATION_KEPT_S },
  ],
  apiTokens: [
    // the bearer of every request
    { key: { hash: 1 }, unique: true },
    // list_api_tokens, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
    // the number of live tokens
    { key: { workspaceId: 1, revokedAt: 1, expiresAt: 1 } },
    // the tokens that a token made and that are not revoked
    { key: { workspaceId: 1, createdBy: 1, expiresAt: 1 }, partialFilterExpression: { revokedAt: null } },
    // the revoked tokens that a token made, whose own tokens are still to be revoked
    { key: { workspaceId: 1, createdBy: 1, family: 1, expiresAt: 1 } },
    // revocations of such tokens that are still in progress
    { key: { family: 1, workspaceId: 1 }, partialFilterExpression: { family: 'pending' } },
  ],
  portalLinks: [
    // the bearer of every request
    { key: { hash: 1 }, unique: true },
    // list_portal_links, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
    // removes past links; the audit log keeps their history
    { key: { expiresAt: 1 }, expireAfterSeconds: 24 * 60 * 60 },
  ],
  endpoints: [
    // list_webhooks, forward on id
    { key: { workspaceId: 1, _id: 1 } },
    // recount and counts of pending deliveries: without those that were deleted earlier
    { key: { workspaceId: 1, deletedAt: 1, _id: 1 } },
    // the number of live endpoints, enabled and disabled
    { key: { workspaceId: 1, deletedAt: 1, enabled: 1 } },
    // fan-out: the endpoints of a workspace that subscribe to a type, in pages by id
    { key: { workspaceId: 1, 'subscriptions.eventType': 1, _id: 1 }, partialFilterExpression: LIVE },
    // previous secrets whose grace period has ended
    {
      key: { 'secrets.previous.expiresAt': 1 },
      partialFilterExpression: { 'secrets.previous.expiresAt': { $type: 'date' } },
    },
    // the recovery probes that are due
    { key: { probeAt: 1 }, partialFilterExpression: HAS_RECOVERY_PROBE },
    // the janitor: tombstones older than the retention
    { key: { deletedAt: 1 }, partialFilterExpression: { deletedAt: { $type: 'date' } } },
  ],
  deliveries: [
    // list_webhook_deliveries, newest first, with date filters
    { key: { endpointId: 1, _id: 1 } },
    // list_deliveries, newest first, with date filters; overview and digest: the deliveries of a workspace since a time
    { key: { workspaceId: 1, _id: 1 } },
    // the feed of parked endpoints and the reconciler: due rows of an endpoint; lists of pending deliveries, counts of them
    { key: { endpointId: 1, dueAt: 1 }, partialFilterExpression: STILL_DUE },
    // list_webhook_deliveries with the status of a failure
    {
      key: { endpointId: 1, status: 1, _id: 1 },
      partialFilterExpression: { status: { $in: [...FAILURE_STATUSES] } },
    },
    // replay jobs and lists of all endpoints: failures of a workspace
    {
      key: { workspaceId: 1, status: 1, _id: 1 },
      partialFilterExpression: { status: { $in: [...FAILURE_STATUSES] } },
    },
    // list_deliveries and explain_event by event; few events belong to several workspaces
    { key: { 'payload.eventId': 1, _id: 1 } },
    // list_deliveries by trace; several workspaces may share one
    { key: { workspaceId: 1, traceId: 1, _id: 1 } },
    // replayedBy, and whether a replay exists
    { key: { replayedFrom: 1, _id: 1 }, partialFilterExpression: { replayedFrom: { $gt: '' } } },
    // the held deliveries of a workspace's day
    {
      key: { workspaceId: 1, _id: 1, heldSince: 1 },
      partialFilterExpression: { heldSince: { $exists: true } },
    },
    // the held deliveries of a disabled period of an endpoint, and their count
    {
      key: { endpointId: 1, heldSince: 1, _id: 1 },
      partialFilterExpression: { heldSince: { $exists: true } },
    },
  ],
  attempts: [],
  fanOutProgress: [
    // removes the progress of events that are probably not read again
    { key: { storedAt: 1 }, expireAfterSeconds: FAN_OUT_PROGRESS_KEPT_S },
  ],
  // explain_event and the janitor use `_id`, which is time-ordered
  unmatchedEvents: [],
  replayJobs: [
    // list_replay_jobs, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
    // the requested job, or the one of the system, that has waited longest for a process
    { key: BY_ACTOR_AND_LEASE, partialFilterExpression: ACTIVE_JOB },
    // the number of active jobs by state
    { key: { leaseUntil: 1 }, partialFilterExpression: ACTIVE_JOB },
    // the number of a workspace's active jobs
    { key: { workspaceId: 1 }, partialFilterExpression: ACTIVE_JOB },
    // removes ended jobs
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  replaySources: [
    // removes what the end of a job left
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  replayClaims: [
    // removes old claims
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  conformanceChecks: [
    // the checks of a workspace within the last hour
    { key: { workspaceId: 1, _id: 1 } },
    // the check that has waited longest for a process
    { key: { leaseUntil: 1 }, partialFilterExpression: { leaseUntil: { $exists: true } } },
    // removes old checks
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  notifications: [
    // list_notifications, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
  ],
  auditEvents: [
    // list_audit_events, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
    // list_audit_events with a filter
    { key: { workspaceId: 1, 'actor.id': 1, createdAt: -1, _id: -1 } },
    { key: { workspaceId: 1, 'target.id': 1, createdAt: -1, _id: -1 } },
    { key: { workspaceId: 1, action: 1, createdAt: -1, _id: -1 } },
  ],
  outbox: [
    // the sweep; records that were set aside have no claim and are not in it
    { key: { claimedUntil: 1 }, partialFilterExpression: { claimedUntil: { $exists: true } } },
    // the oldest overdue record
    { key: { dueAt: 1 }, partialFilterExpression: { claimedUntil: { $exists: true } } },
    // the number of records that were set aside
    { key: { setAsideAt: 1 }, partialFilterExpression: { setAsideAt: { $exists: true } } },
  ],
  eventTypes: [],
  taskRuns: [],
  idempotencyKeys: [
    // removes expired responses
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
    // responses with a secret of a deleted endpoint
    { key: { secretOf: 1 }, partialFilterExpression: { secretOf: { $exists: true } } },
  ],
  // Read by `_id`.
  quotaPlaces: [],
  outageGuards: [
    // removes the records of processes that have ended
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  openStreams: [
    // removes the counts of processes that have ended
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  endpointStats: [
    // the janitor: removes old hours
    { key: { hour: 1 } },
  ],
  workspaceStats: [
    // the janitor: removes old hours
    { key: { hour: 1 } },
  ],
  rateLimits: [
    // the counter that every request increments
    { key: { key: 1 }, unique: true },
    // removes past windows
    { key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
};
