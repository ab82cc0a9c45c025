import type { Call } from '../operations/call.js';
import { operationAccess } from '../operations/operation-access.js';
import type { Tool } from './tools.js';

/** Whether the caller finds a tool in the list. Calls of other tools are refused. */
export function isListed(
  { operationId, permission }: Pick<Tool, 'operationId' | 'permission'>,
  { permissions, credential }: Pick<Call, 'permissions' | 'credential'>,
): boolean {
  return permissions.has(permission) && operationAccess(operationId, credential) === 'granted';
}
