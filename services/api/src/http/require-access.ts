import type { Permission } from '@postrider/shared/domain/permission';
import { lackOfPermission } from '../domain/insufficient-scope.js';
import { Refusal } from '../domain/refusal.js';
import type { Call } from '../operations/call.js';
import { operationAccess } from '../operations/operation-access.js';

type Caller = Pick<Call, 'permissions' | 'credential'>;

interface Target {
  readonly operationId: string;
  /** Null for operations that any token may call. */
  readonly permission: Permission | null;
}

/**
 * Checks whether a caller may use an operation at all.
 *
 * @throws Refusal `Forbidden`, `InsufficientScope` if another access token permits it, or `WorkspaceNotFound` for
 *   operations that are hidden from a portal link with endpoints
 */
export function requireAccess(
  { operationId, permission }: Target,
  { permissions, credential }: Caller,
): void {
  const access = operationAccess(operationId, credential);
  if (permission !== null && !permissions.has(permission)) {
    const detail = `This needs the permission ${permission}, which the token does not grant.`;
    throw lackOfPermission(permission, access === 'granted' ? credential : null, detail);
  }
  switch (access) {
    case 'granted':
      return;
    case 'forbidden':
      throw new Refusal('Forbidden', 'Only an API token can do this.');
    case 'hidden':
      throw new Refusal(
        'WorkspaceNotFound',
        'This portal link gives access to its endpoints and their deliveries only.',
      );
  }
}
