import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';

export const ROLES = [
  'viewer',
  'member',
  'admin',
  'owner',
] as const satisfies readonly components['schemas']['Role'][];
export type Role = (typeof ROLES)[number];

export const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: texts.members.roles[value] }));

/** The roles that may change members. */
const MANAGERS: ReadonlySet<Role> = new Set<Role>(['admin', 'owner']);

/** Whether a token that may invite can invite for this role, and revoke such an invitation. */
export function mayInviteAs(role: Role, permissions: ReadonlySet<string>): boolean {
  return permissions.has('member:update') || !MANAGERS.has(role);
}
