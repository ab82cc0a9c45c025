/** The domain events that Postrider itself emits (specification, section 6.1). */
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
/** The name of a built-in event type. */
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent to one endpoint by the test-event operation. It cannot be subscribed to. */
export const TEST_EVENT_TYPE = 'webhook.test_event';

/** The name of any event type: built-in, of the installation's catalogue, or of a test event. */
export type EventTypeName = string;

/** What an endpoint subscribes to: a name, `*` for all, or a prefix such as `invoice.*`. */
export type SubscribedType = string;

export function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text);
}

const WORD = '[a-z][a-z0-9_]*';
const MAX_NAME_LENGTH = 100;
const CUSTOM_NAME = new RegExp(`^${WORD}(?:\\.${WORD}){1,4}$`);
const PREFIX = new RegExp(`^${WORD}(?:\\.${WORD}){0,3}\\.\\*$`);

/** Prefixes of names that are reserved for event types of Postrider. */
export const RESERVED_PREFIXES = ['webhook.', 'workspace_', 'api_token.', 'billing.'] as const;

/** Whether text has the form of an event type's name: 2 to 5 lower-case words joined by dots. */
export function isEventTypeName(text: string): boolean {
  return text.length <= MAX_NAME_LENGTH && CUSTOM_NAME.test(text);
}

/** Whether only Postrider may use the name. */
export function isReservedName(name: string): boolean {
  return isEventType(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));
}

export const ALL_TYPES = '*';

/** Whether text subscribes to several types: `*`, or a prefix such as `invoice.*`. */
export function isWildcard(text: string): boolean {
  return text === ALL_TYPES || (text.length <= MAX_NAME_LENGTH && PREFIX.test(text));
}

/** Every subscription that an event of this type matches: its name, its prefixes and `*`. */
export function subscriptionsMatching(name: EventTypeName): readonly SubscribedType[] {
  const words = name.split('.');
  const prefixes = words.slice(1).map((_, index) => `${words.slice(0, index + 1).join('.')}.*`);
  return [name, ...prefixes, ALL_TYPES];
}
