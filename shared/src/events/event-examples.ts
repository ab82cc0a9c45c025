import type { EventType } from '../domain/event-type.js';
import type { OwnFields } from './event-payloads.js';

const MEMBER = { memberId: 'mem_01krzmb7g0q5w9n2x4c8v1j6th', email: 'ada@acme.example' };

/** The own fields of one event of each built-in type. */
export const EVENT_EXAMPLES: { readonly [T in EventType]: OwnFields<T> } = {
  'api_token.created': { tokenId: 'tok_01krzmb7g0q5w9n2x4c8v1j6th', name: 'ci', scopes: ['read'] },
  'api_token.revoked': { tokenId: 'tok_01krzmb7g0q5w9n2x4c8v1j6th', name: 'ci' },
  'webhook_endpoint.created': {
    endpointId: 'whe_01krzmb7g0q5w9n2x4c8v1j6th',
    origin: 'https://hooks.example.com',
    eventTypes: ['billing.plan_changed'],
  },
  'workspace_member.added': { ...MEMBER, role: 'member' },
  'workspace_member.removed': MEMBER,
  'workspace_member.role_changed': { memberId: MEMBER.memberId, previousRole: 'member', role: 'admin' },
  'workspace_invitation.accepted': {
    invitationId: 'inv_01krzmb7g0q5w9n2x4c8v1j6th',
    ...MEMBER,
    role: 'member',
  },
  'billing.plan_changed': { previousPlan: 'free', plan: 'team' },
};
