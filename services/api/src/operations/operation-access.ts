import type { Credential } from '../domain/credential.js';
import type { Operations } from './operations.js';

/**
 * The access to an operation that a portal link has if it is limited to some endpoints:
 * - `endpoints`: the operation runs, and its stores show these endpoints and what belongs to them alone
 * - `everything`: the operation shows only facts about the link or the installation
 * - `hidden`: 404
 * - `forbidden`: 403
 */
type LimitedAccess = 'endpoints' | 'everything' | 'hidden' | 'forbidden';

/** Each operation needs a decision. */
export const LIMITED_ACCESS: Readonly<Record<keyof Operations, LimitedAccess>> = {
  get_session: 'everything',
  list_webhooks: 'endpoints',
  get_webhook: 'endpoints',
  update_webhook: 'endpoints',
  delete_webhook: 'endpoints',
  rotate_webhook_secret: 'endpoints',
  send_webhook_test_event: 'endpoints',
  check_webhook_conformance: 'endpoints',
  get_webhook_conformance_check: 'endpoints',
  list_webhook_deliveries: 'endpoints',
  list_deliveries: 'endpoints',
  stream_deliveries: 'endpoints',
  explain_event: 'endpoints',
  get_delivery_stats: 'endpoints',
  get_webhook_delivery: 'endpoints',
  list_webhook_delivery_attempts: 'endpoints',
  replay_webhook_delivery: 'endpoints',
  create_replay_job: 'endpoints',
  list_replay_jobs: 'endpoints',
  get_replay_job: 'endpoints',
  cancel_replay_job: 'endpoints',
  list_event_types: 'everything',
  get_event_type: 'everything',
  create_webhook: 'forbidden',
  create_api_token: 'forbidden',
  create_portal_link: 'forbidden',
  list_portal_links: 'hidden',
  revoke_portal_link: 'hidden',
  publish_event: 'hidden',
  publish_events: 'hidden',
  get_workspace_overview: 'hidden',
  list_notifications: 'hidden',
  list_audit_events: 'hidden',
  list_api_tokens: 'hidden',
  revoke_api_token: 'hidden',
  list_members: 'hidden',
  update_member_role: 'hidden',
  remove_member: 'hidden',
  list_invitations: 'hidden',
  invite_member: 'hidden',
  revoke_invitation: 'hidden',
  accept_invitation: 'hidden',
  change_plan: 'hidden',
};

/** Only API tokens create bearers: one created by a portal link or a member would not end with its creator. */
const MAKES_BEARERS: ReadonlySet<string> = new Set<keyof Operations>([
  'create_api_token',
  'create_portal_link',
]);

/** A caller's access to an operation whose permission it has. An operation without a decision is hidden. */
export function operationAccess(
  operationId: string,
  credential: Credential | null,
): 'granted' | 'hidden' | 'forbidden' {
  if (credential === null || credential.type === 'api_token') return 'granted';
  if (MAKES_BEARERS.has(operationId)) return 'forbidden';
  if (credential.endpointIds === null) return 'granted';
  const access = (LIMITED_ACCESS as Readonly<Record<string, LimitedAccess>>)[operationId] ?? 'hidden';
  return access === 'endpoints' || access === 'everything' ? 'granted' : access;
}
