/** The domain events that a webhook endpoint can subscribe to (specification, section 6.1). */
export const EVENT_TYPES = [
  'api_token.created',
  'api_token.revoked',
  'webhook_endpoint.created',
  'workspace_member.added',
  'workspace_member.removed',
  'workspace_member.role_changed',
  'workspace_invitation.accepted',
  'billing.plan_changed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent to one endpoint by the test-event operation. It cannot be subscribed to. */
export const TEST_EVENT_TYPE = 'webhook.test_event';
export type DeliveredEventType = EventType | typeof TEST_EVENT_TYPE;

export function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text);
}
