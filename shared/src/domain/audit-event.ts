import type { StreakChange } from './delivery.js';
import { EVENT_TYPES } from './event-type.js';
import type { WorkspaceId } from './id.js';

/** The audit trail records every webhook event type, and changes that are not published as events. */
export const AUDIT_ACTIONS = [
  ...EVENT_TYPES,
  'webhook_endpoint.updated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.disabled',
  'webhook_endpoint.enabled',
  'webhook_endpoint.secret_rotated',
  'webhook.delivery_replayed',
  'webhook.replay_job_created',
  'webhook.replay_job_cancelled',
  'webhook.test_event_sent',
  'webhook.conformance_checked',
  'webhook.stream_opened',
  'workspace_invitation.created',
  'workspace_invitation.revoked',
  'portal_link.created',
  'portal_link.revoked',
  'workspace.created',
  'workspace.limits_changed',
  'workspace.encryption_key_rotated',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Those that act by a request. */
export const REQUESTING_ACTORS = ['api_token', 'portal_link', 'member'] as const;
export type ActorType = (typeof REQUESTING_ACTORS)[number] | 'system';
export interface Actor {
  readonly type: ActorType;
  /** Null for the system itself. */
  readonly id: string | null;
}
export const SYSTEM: Actor = { type: 'system', id: null };

export type TargetType =
  | 'workspace'
  | 'endpoint'
  | 'delivery'
  | 'replay_job'
  | 'member'
  | 'invitation'
  | 'api_token'
  | 'portal_link';

/** Where the request of an audited change came from. */
export interface AuditSource {
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly traceId: string;
}

export interface AuditEvent {
  readonly id: string;
  readonly workspaceId: WorkspaceId;
  readonly action: AuditAction;
  readonly actor: Actor;
  readonly target: { readonly type: TargetType; readonly id: string };
  /** Contains no secrets, and only the origin of a URL. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  /** Set when the audited change moved an endpoint's streak. Internal: never on the wire. */
  readonly streak: StreakChange | null;
  /** Null for the system itself, and for audit events of older versions. */
  readonly source: AuditSource | null;
}
