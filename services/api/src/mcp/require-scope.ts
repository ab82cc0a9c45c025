import { isRecord } from '@postrider/shared/domain/is-record';
import { permissionsOfRole } from '../domain/credential.js';
import { InsufficientScope } from '../domain/insufficient-scope.js';
import type { Call } from '../operations/call.js';
import { isListed } from './is-listed.js';
import type { Tools } from './tools.js';

/**
 * Refuses the call of a tool that a member may use, but with another access token. The protocol wants a status for it, so
 * that the client asks for that token; any other refusal of a tool is its result.
 *
 * @throws InsufficientScope
 */
export function requireScope(tools: Tools, { permissions, credential }: Call, message: unknown): void {
  if (credential === null || credential.role === null) return;
  const tool = tools.get(calledTool(message) ?? '');
  if (tool === undefined || permissions.has(tool.permission)) return;
  if (!isListed(tool, { permissions: permissionsOfRole(credential.role), credential })) return;
  throw new InsufficientScope([...credential.scopes, tool.permission]);
}

function calledTool(message: unknown): string | null {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params)) return null;
  return typeof message.params.name === 'string' ? message.params.name : null;
}
