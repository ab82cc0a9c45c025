import { type Permission, permissionsOf } from '@postrider/shared/domain/permission';
import type { Request, Response } from 'express';
import type { RateBucket } from '../document/openapi.js';
import { Refusal } from '../domain/refusal.js';
import type { RateLimits } from '../rate-limits/rate-limits.js';
import { type Authenticate, requireBearer } from './authenticate.js';
import { limitRate } from './limit-rate.js';
import { contextOf } from './request-context.js';

export interface AdmissionParts {
  readonly authenticate: Authenticate;
  readonly limits: RateLimits;
}

interface BearerRequest {
  readonly request: Request;
  readonly response: Response;
  readonly bucket: RateBucket;
  /** The workspace that the path names; null where the token alone decides. */
  readonly slug: string | null;
}

/**
 * Admits the bearer of a token: rate limit, then token, then workspace.
 *
 * @throws Refusal `RateLimited`, `Unauthorized` or `WorkspaceNotFound`
 */
export async function admitBearer(
  { authenticate, limits }: AdmissionParts,
  { request, response, bucket, slug }: BearerRequest,
) {
  const bearer = await authenticate(request.get('authorization'), slug);
  await limitRate(limits, { request, response, bucket, token: bearer.token });
  const { token, workspace } = requireBearer(bearer);
  const context = contextOf(response);
  context.caller = { workspaceId: workspace.id, actorId: token.id };
  const { traceId, spanId } = context;
  const actor = { type: 'api_token', id: token.id } as const;
  return { workspace, actor, permissions: permissionsOf(token.scopes), token, traceId, spanId };
}

/** @throws Refusal `Forbidden` */
export function requirePermission(permission: Permission, granted: ReadonlySet<Permission>): void {
  if (granted.has(permission)) return;
  throw new Refusal('Forbidden', `This needs the permission ${permission}, which the token does not grant.`);
}
