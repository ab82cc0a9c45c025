import type { Permission } from '@postrider/shared/domain/permission';
import type { Request } from 'express';
import type { Call } from '../operations/call.js';
import { callOf } from './exchange.js';

/**
 * The second lock. Admission decided by the path; the generated routes ask here with the scopes of the route that
 * really runs. Should the two ever disagree about a path, nothing runs.
 */
export async function expressAuthentication(
  request: Request,
  _scheme: string,
  scopes: readonly string[] = [],
): Promise<Call> {
  const call = callOf(request);
  if (scopes.length > 0 && scopes.every((scope) => call.permissions.has(scope as Permission))) return call;
  throw new Error('admission let a call pass to a route that it does not cover');
}
