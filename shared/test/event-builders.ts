import type { EventType } from '../src/domain/event-type.js';
import { type DomainEvent, domainEvent } from '../src/events/domain-event.js';
import type { OwnFields } from '../src/events/event-payloads.js';
import { ENDPOINT_ID, idFor, NOON, WORKSPACE_ID } from '../src/testing/builders.js';

const ada = { memberId: idFor('member', 'ada'), email: 'ada@example.com' };

/** One example of each event's own fields. */
export const OWN_FIELDS: { readonly [T in EventType]: OwnFields<T> } = {
  'api_token.created': {
    tokenId: idFor('token', 'deploy'),
    name: 'deploy',
    scopes: ['read', 'webhook:test'],
  },
  'api_token.revoked': { tokenId: idFor('token', 'deploy'), name: 'deploy' },
  'webhook_endpoint.created': {
    endpointId: ENDPOINT_ID,
    origin: 'https://hooks.example.com',
    eventTypes: ['billing.plan_changed'],
  },
  'workspace_member.added': { ...ada, role: 'member' },
  'workspace_member.removed': ada,
  'workspace_member.role_changed': { memberId: ada.memberId, previousRole: 'member', role: 'admin' },
  'workspace_invitation.accepted': { invitationId: idFor('invitation', 'ada'), ...ada, role: 'member' },
  'billing.plan_changed': { previousPlan: 'free', plan: 'team' },
};

interface EventOverrides<T extends EventType> {
  readonly id?: string;
  readonly workspace?: { readonly id: string; readonly slug: string };
  readonly occurredAt?: Date;
  readonly own?: Partial<OwnFields<T>>;
}

/** An event of workspace `acme` at noon. */
export function anEvent<T extends EventType>(type: T, overrides: EventOverrides<T> = {}): DomainEvent<T> {
  return domainEvent({
    type,
    id: overrides.id ?? idFor('event', type),
    workspace: overrides.workspace ?? { id: WORKSPACE_ID, slug: 'acme' },
    occurredAt: overrides.occurredAt ?? NOON,
    own: { ...OWN_FIELDS[type], ...overrides.own },
  });
}
