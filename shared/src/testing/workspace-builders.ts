import type { ApiToken } from '../domain/api-token.js';
import { type AuditEvent, SYSTEM } from '../domain/audit-event.js';
import type { Member } from '../domain/member.js';
import type { Notification } from '../domain/notification.js';
import type { Workspace } from '../domain/workspace.js';
import { ENDPOINT_ID, idFor, later, NOON, type Overrides, WORKSPACE_ID } from './builders.js';

export function aWorkspace(overrides: Overrides<Workspace> = {}): Workspace {
  return {
    id: WORKSPACE_ID,
    slug: 'acme',
    name: 'Acme',
    plan: 'free',
    createdAt: later(-1_000),
    ...overrides,
  } as Workspace;
}

export function aMember(overrides: Overrides<Member> = {}): Member {
  const id = idFor('member', 'ada');
  return { id, workspaceId: WORKSPACE_ID, email: 'ada@example.com', role: 'owner', ...overrides } as Member;
}

/** A valid token with every permission; its hash matches no secret. */
export function anApiToken(overrides: Overrides<ApiToken> = {}): ApiToken {
  return {
    id: idFor('token', 'deploy'),
    workspaceId: WORKSPACE_ID,
    name: 'deploy',
    scopes: ['admin'],
    hash: 'c0ffee'.padEnd(64, '0'),
    prefix: 'prt_abcd',
    createdAt: NOON,
    createdBy: null,
    lastUsedAt: null,
    lastUsedAddress: null,
    expiresAt: null,
    revokedAt: null,
    ...overrides,
  } as ApiToken;
}

export function aNotification(overrides: Overrides<Notification> = {}): Notification {
  return {
    id: idFor('notification', 'disabled'),
    workspaceId: WORKSPACE_ID,
    kind: 'endpoint_disabled',
    message: 'The webhook endpoint at https://hooks.example.com was disabled.',
    endpointId: ENDPOINT_ID,
    data: { consecutiveFailures: 20 },
    createdAt: NOON,
    ...overrides,
  } as Notification;
}

/** The audit entry of an endpoint that was disabled by its failures. */
export function anAuditEvent(overrides: Overrides<AuditEvent> = {}): AuditEvent {
  return {
    id: idFor('audit', 'disabled'),
    workspaceId: WORKSPACE_ID,
    action: 'webhook_endpoint.disabled',
    actor: SYSTEM,
    target: { type: 'endpoint', id: ENDPOINT_ID },
    metadata: { reason: 'consecutive_failures' },
    createdAt: NOON,
    streak: null,
    source: null,
    ...overrides,
  } as AuditEvent;
}
