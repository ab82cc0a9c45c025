import { type Filter, readFilter } from '../ui/read-filter.js';

const NAMES = ['action', 'actorId', 'targetId', 'createdAfter', 'createdBefore'] as const;
export type AuditFilterName = (typeof NAMES)[number];

/** The filters of the audit log, as they stand in its address. Absent means any. */
export type AuditFilter = Filter<AuditFilterName>;

export function readAuditFilter(search: Readonly<Record<string, unknown>>): AuditFilter {
  return readFilter(NAMES, search);
}

/** The actions that the choice offers. The field in the address takes any. */
export const ACTIONS = [
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.deleted',
  'webhook_endpoint.enabled',
  'webhook_endpoint.disabled',
  'webhook_endpoint.secret_rotated',
  'webhook.delivery_replayed',
  'webhook.replay_job_created',
  'webhook.replay_job_cancelled',
  'webhook.test_event_sent',
  'webhook.conformance_checked',
  'webhook.stream_opened',
  'api_token.created',
  'api_token.revoked',
  'portal_link.created',
  'portal_link.revoked',
  'workspace_member.added',
  'workspace_member.removed',
  'workspace_member.role_changed',
  'workspace_invitation.created',
  'workspace_invitation.accepted',
  'workspace_invitation.revoked',
  'billing.plan_changed',
  'workspace.created',
  'workspace.limits_changed',
  'workspace.encryption_key_rotated',
] as const;
