import type { Request, Response } from 'express';
import type { RateBucket } from '../document/openapi.js';
import { permissionsOfCredential } from '../domain/credential.js';
import { Refusal } from '../domain/refusal.js';
import { clientAddress } from '../rate-limits/client-key.js';
import { TooManyUnknownTokens } from '../rate-limits/token-brake.js';
import { type Authenticate, type Authentication, type Credentials, requireBearer } from './authenticate.js';
import { limitRate, type RequestLimits } from './limit-rate.js';
import { contextOf } from './request-context.js';
import { sourceOf } from './source-of.js';

export interface AdmissionParts extends RequestLimits {
  readonly authenticate: Authenticate;
}

interface BearerRequest {
  readonly request: Request;
  readonly response: Response;
  readonly bucket: RateBucket;
  /** The workspace that the path names; null where the token alone decides. */
  readonly slug: string | null;
}

/**
 * Admits the bearer of a token. The token is looked up first, because its rate is limited by its id. A request is refused by its
 * rate limit first, then for its token, then for its workspace.
 *
 * @throws Refusal `RateLimited`, `Unauthorized`, `NotAMember`, `InsufficientScope` or `WorkspaceNotFound`
 */
export async function admitBearer(
  { authenticate, ...limits }: AdmissionParts,
  { request, response, bucket, slug }: BearerRequest,
) {
  const credentials = { authorization: request.get('authorization'), slug, address: clientAddress(request) };
  const bearer = await authenticated(authenticate, credentials);
  await limitRate(limits, { request, response, bucket, token: bearer.credential });
  const { credential, workspace } = requireBearer(bearer);
  const context = contextOf(response);
  context.caller = { workspaceId: workspace.id, actorId: credential.id };
  const { traceId, spanId } = context;
  const actor = { type: credential.type, id: credential.id };
  return {
    workspace,
    actor,
    permissions: permissionsOfCredential(credential),
    credential,
    baseUrl: `${request.protocol}://${request.host}`,
    traceId,
    spanId,
    source: sourceOf(request, traceId),
  };
}

/** An address that sends too many unknown tokens is refused like an unknown token: its requests are counted by address. */
async function authenticated(authenticate: Authenticate, credentials: Credentials): Promise<Authentication> {
  try {
    return await authenticate(credentials);
  } catch (error) {
    if (!(error instanceof TooManyUnknownTokens)) throw error;
    const refusal = Refusal.tooMany('This address sends too many unknown tokens', error.retryAfterMs);
    return { credential: null, workspace: null, refusal };
  }
}
