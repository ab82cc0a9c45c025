import { acceptInvitation } from './accept-invitation.js';
import { cancelReplayJob } from './cancel-replay-job.js';
import { changePlan } from './change-plan.js';
import { checkWebhookConformance } from './check-webhook-conformance.js';
import { createApiToken } from './create-api-token.js';
import { createPortalLink } from './create-portal-link.js';
import { createReplayJob } from './create-replay-job.js';
import { createWebhook } from './create-webhook.js';
import { deleteWebhook } from './delete-webhook.js';
import type { Deps } from './deps.js';
import { getEventType, listEventTypes } from './event-types.js';
import { explainEvent } from './explain-event.js';
import { getDeliveryStats } from './get-delivery-stats.js';
import { getReplayJob } from './get-replay-job.js';
import { getSession } from './get-session.js';
import { getWebhook } from './get-webhook.js';
import { getWebhookConformanceCheck } from './get-webhook-conformance-check.js';
import { getWebhookDelivery } from './get-webhook-delivery.js';
import { getWorkspaceOverview } from './get-workspace-overview.js';
import type { CountHeld } from './held-counts.js';
import { inviteMember } from './invite-member.js';
import { listAuditEvents } from './list-audit-events.js';
import { listDeliveries } from './list-deliveries.js';
import { listWebhookDeliveryAttempts } from './list-webhook-delivery-attempts.js';
import { listWebhooks } from './list-webhooks.js';
import { publishEvent, publishEvents } from './publish-events.js';
import { removeMember } from './remove-member.js';
import { replayWebhookDelivery } from './replay-webhook-delivery.js';
import { revokeApiToken } from './revoke-api-token.js';
import { revokeInvitation } from './revoke-invitation.js';
import { revokePortalLink } from './revoke-portal-link.js';
import { rotateWebhookSecret } from './rotate-webhook-secret.js';
import { sendWebhookTestEvent } from './send-webhook-test-event.js';
import { showHolds } from './show-holds.js';
import { streamDeliveries } from './stream-deliveries.js';
import { updateMemberRole } from './update-member-role.js';
import { updateWebhook } from './update-webhook.js';
import { workspaceLists } from './workspace-lists.js';

/**
 * All operations by id, which is also their OpenAPI operationId and MCP tool name.
 *
 * @param countHeld shared by all sets of operations, so that they share its cache
 */
export function createOperations(deps: Deps, countHeld: CountHeld) {
  return {
    ...workspaceLists(deps),
    list_webhooks: showHolds(deps, listWebhooks(deps, countHeld)),
    list_audit_events: listAuditEvents(deps),
    get_workspace_overview: showHolds(deps, getWorkspaceOverview(deps)),
    create_api_token: createApiToken(deps),
    revoke_api_token: revokeApiToken(deps),
    create_portal_link: createPortalLink(deps),
    revoke_portal_link: revokePortalLink(deps),
    update_member_role: updateMemberRole(deps),
    remove_member: removeMember(deps),
    invite_member: inviteMember(deps),
    revoke_invitation: revokeInvitation(deps),
    accept_invitation: acceptInvitation(deps),
    change_plan: changePlan(deps),
    get_session: getSession,
    publish_event: publishEvent(deps),
    publish_events: publishEvents(deps),
    list_event_types: listEventTypes(deps),
    get_event_type: getEventType(deps),
    explain_event: explainEvent(deps),
    get_webhook: showHolds(deps, getWebhook(deps, countHeld)),
    create_webhook: createWebhook(deps),
    update_webhook: updateWebhook(deps, countHeld),
    delete_webhook: deleteWebhook(deps),
    rotate_webhook_secret: rotateWebhookSecret(deps),
    send_webhook_test_event: sendWebhookTestEvent(deps),
    check_webhook_conformance: checkWebhookConformance(deps),
    get_webhook_conformance_check: getWebhookConformanceCheck(deps),
    list_deliveries: showHolds(deps, listDeliveries(deps)),
    list_webhook_deliveries: showHolds(deps, listDeliveries(deps)),
    get_webhook_delivery: showHolds(deps, getWebhookDelivery(deps)),
    list_webhook_delivery_attempts: listWebhookDeliveryAttempts(deps),
    create_replay_job: createReplayJob(deps),
    get_replay_job: getReplayJob(deps),
    cancel_replay_job: cancelReplayJob(deps),
    replay_webhook_delivery: replayWebhookDelivery(deps),
    get_delivery_stats: getDeliveryStats(deps),
    stream_deliveries: streamDeliveries(deps),
  };
}

export type Operations = ReturnType<typeof createOperations>;
