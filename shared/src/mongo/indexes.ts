import type { IndexDescription } from 'mongodb';
import { type Collections, STILL_DUE } from './collections.js';

const FAILURES = ['failed', 'failed_permanent', 'dead_lettered'];

/** As long as deliveries: after 30 days from the end of its time, no list shows an invitation any more. */
const ENDED_INVITATION_KEPT_S = 30 * 24 * 60 * 60;

/**
 * Every index, with the query that it serves. `_id` is time-ordered everywhere and serves order and date filters.
 * Each index of `deliveries` costs the database 10 to 15 µs per delivery: think before adding one. Overview and digest
 * read a workspace's deliveries endpoint by endpoint, for that reason.
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
    // is there another owner?
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
    // the database removes invitations that ended long ago; the audit trail keeps what became of them
    { key: { expiresAt: 1 }, expireAfterSeconds: ENDED_INVITATION_KEPT_S },
  ],
  apiTokens: [
    // the bearer of every request
    { key: { hash: 1 }, unique: true },
    // list_api_tokens, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
  ],
  endpoints: [
    // list_webhooks, forward on id
    { key: { workspaceId: 1, _id: 1 } },
    // fan-out: who is enabled and subscribes to this type in this workspace
    { key: { workspaceId: 1, 'subscriptions.eventType': 1 }, partialFilterExpression: { enabled: true } },
    // the janitor: tombstones whose last delivery has gone
    { key: { deletedAt: 1 }, partialFilterExpression: { deletedAt: { $type: 'date' } } },
  ],
  deliveries: [
    // list_webhook_deliveries, newest first, with date filters
    { key: { endpointId: 1, _id: 1 } },
    // parking's feed and the reconciler: what is due for an endpoint
    { key: { endpointId: 1, dueAt: 1 }, partialFilterExpression: STILL_DUE },
    // list_webhook_deliveries with the status of a failure
    {
      key: { endpointId: 1, status: 1, _id: 1 },
      partialFilterExpression: { status: { $in: FAILURES } },
    },
  ],
  attempts: [],
  notifications: [
    // list_notifications, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
  ],
  auditEvents: [
    // list_audit_events, newest first
    { key: { workspaceId: 1, createdAt: -1, _id: -1 } },
  ],
  outbox: [
    // the sweep; a record that was set aside has no claim and is not in it
    { key: { claimedUntil: 1 }, partialFilterExpression: { claimedUntil: { $exists: true } } },
    // since when the oldest of them is overdue
    { key: { dueAt: 1 }, partialFilterExpression: { claimedUntil: { $exists: true } } },
    // how many were set aside: few, and none of the others is in it
    { key: { setAsideAt: 1 }, partialFilterExpression: { setAsideAt: { $exists: true } } },
  ],
  taskRuns: [],
  idempotencyKeys: [
    // the database removes answers that are no longer kept
    { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  ],
  rateLimits: [
    // the count that every request adds to
    { key: { key: 1 }, unique: true },
    // the database removes windows that are over
    { key: { expire: 1 }, expireAfterSeconds: 0 },
  ],
};
