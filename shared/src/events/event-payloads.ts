import { type EventType, TEST_EVENT_TYPE } from '../domain/event-type.js';
import { ROLES } from '../domain/member.js';
import { SCOPES } from '../domain/permission.js';
import { PLANS } from '../domain/workspace.js';
import {
  closedObject,
  dateTime,
  id,
  listOf,
  type ObjectSchema,
  oneOf,
  type Properties,
  text,
} from './schemas.js';

const role = oneOf(ROLES, 'Role of the member');
const plan = (description: string) => oneOf(PLANS, description);
const member = { memberId: id('mem', 'The member'), email: text('E-mail address') };

/** The fields that every event has. */
export const ENVELOPE_FIELDS = {
  eventId: id('evt', 'The event. The same event carries the same id on every channel: de-duplicate on it.'),
  occurredAt: dateTime('RFC 3339, UTC, milliseconds'),
  workspaceId: id('ws', 'The workspace in which it happened'),
};

const event = <Own extends Properties>(description: string, own: Own) =>
  closedObject({ ...ENVELOPE_FIELDS, ...own }, { description });

/**
 * The only declaration of each event. The TypeScript type, the JSON Schema in the registry, the projection that drops
 * unknown fields and the published documents are derived from it.
 */
export const EVENT_PAYLOADS = {
  'api_token.created': event('An API token was created.', {
    tokenId: id('tok', 'The token'),
    name: text('Name that its creator gave'),
    scopes: listOf(oneOf(SCOPES, 'A permission or a bundle of permissions'), 'What it may do'),
  }),
  'api_token.revoked': event('An API token was revoked.', {
    tokenId: id('tok', 'The token'),
    name: text('Name that its creator gave'),
  }),
  'webhook_endpoint.created': event('A webhook endpoint was created.', {
    endpointId: id('whe', 'The endpoint'),
    origin: text('Scheme, host and port of its URL; the path may be a secret'),
    eventTypes: listOf(text('A name, `*`, or a prefix such as `invoice.*`'), 'What it subscribes to'),
  }),
  'workspace_member.added': event('A person accepted an invitation and became a member.', {
    ...member,
    role,
  }),
  'workspace_member.removed': event('A member was removed.', member),
  'workspace_member.role_changed': event('The role of a member changed.', {
    memberId: member.memberId,
    previousRole: oneOf(ROLES, 'Role before'),
    role,
  }),
  'workspace_invitation.accepted': event('An invitation was accepted.', {
    invitationId: id('inv', 'The invitation'),
    ...member,
    role,
  }),
  'billing.plan_changed': event('The plan of the workspace changed.', {
    previousPlan: plan('Plan before'),
    plan: plan('Plan now'),
  }),
} as const satisfies Record<EventType, ObjectSchema>;

/** Sent by the test-event operation to one endpoint; it is not published to the event topic. */
export const TEST_EVENT_PAYLOAD = event('A test, sent on request to one endpoint.', {
  endpointId: id('whe', 'The endpoint under test'),
  message: text('Says that this is a test'),
});

export const DELIVERED_PAYLOADS = { ...EVENT_PAYLOADS, [TEST_EVENT_TYPE]: TEST_EVENT_PAYLOAD } as const;

/** The value that a schema of a payload describes: payloads are flat, and all of their fields are required. */
type PayloadOf<Payload extends ObjectSchema> = {
  -readonly [Name in keyof Payload['properties']]: FieldOf<Payload['properties'][Name]>;
};
type FieldOf<Field> = Field extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : Field extends { readonly items: infer Item }
    ? FieldOf<Item>[]
    : string;

/** Distributes over the types, so that a union of types gives a union of payloads. */
export type EventPayload<T extends EventType = EventType> = {
  [Type in T]: PayloadOf<(typeof EVENT_PAYLOADS)[Type]>;
}[T];
export type TestEventPayload = PayloadOf<typeof TEST_EVENT_PAYLOAD>;
export type OwnFields<T extends EventType> = Omit<EventPayload<T>, keyof typeof ENVELOPE_FIELDS>;
