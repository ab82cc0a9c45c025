import type { Role } from '@postrider/shared/domain/member';
import { lackOfPermission } from '../domain/insufficient-scope.js';
import type { Call } from './call.js';

/** Roles that may change members. */
const MANAGER_ROLES: ReadonlySet<Role> = new Set<Role>(['owner', 'admin']);

/**
 * Requires the permission to assign a role for changes to invitations of that role.
 *
 * @param doing the beginning of the sentence of the refusal, like `Inviting`
 * @throws Refusal `Forbidden`, or `InsufficientScope` if another access token permits it
 */
export function requireManager({ permissions, credential }: Call, role: Role, doing: string): void {
  if (!MANAGER_ROLES.has(role) || permissions.has('member:update')) return;
  const detail = `${doing} an ${role} requires the permission member:update, which the token does not grant.`;
  throw lackOfPermission('member:update', credential, detail);
}
