import type { Request, Response } from 'express';
import type { RateBucket } from '../document/openapi.js';
import { Refusal } from '../domain/refusal.js';
import { clientKey } from '../rate-limits/client-key.js';
import { type RateLimitResult, type RateLimits, WINDOW_S } from '../rate-limits/rate-limits.js';

/** The limits of single clients and of whole workspaces. */
export interface RequestLimits {
  readonly limits: RateLimits;
  readonly workspaceLimits: RateLimits;
}

interface Limited {
  readonly request: Request;
  readonly response: Response;
  readonly bucket: RateBucket;
  /** The caller's token; null unless it is valid. */
  readonly token: { readonly id: string; readonly workspaceId: string } | null;
}

/**
 * Counts a request for its client and for the workspace of its token, and sets the rate limit headers, which every
 * response has. They show the client's limit, unless the workspace's limit refuses the request. A request that the client's
 * limit refuses is not counted for the workspace, so that one client does not use up the limit that it shares. The second
 * count costs a round trip only once in many requests, since workspaces are counted in portions.
 *
 * @throws Refusal `RateLimited`
 */
export async function limitRate(
  { limits, workspaceLimits }: RequestLimits,
  { request, response, bucket, token }: Limited,
): Promise<void> {
  const ofClient = await limits(bucket, clientKey(request, token));
  const ofWorkspace =
    token === null || ofClient?.isAdmitted === false
      ? null
      : await workspaceLimits(bucket, token.workspaceId);
  if (response.headersSent) return;
  const isWorkspaceOverLimit = ofWorkspace?.isAdmitted === false;
  const verdict = isWorkspaceOverLimit ? ofWorkspace : ofClient;
  if (verdict === null) return;
  setHeaders(response, bucket, verdict);
  if (verdict.isAdmitted) return;
  const who = isWorkspaceOverLimit ? 'all tokens of the workspace together' : 'one client';
  throw Refusal.tooMany(
    `More than ${verdict.limit} requests of this kind in ${WINDOW_S} seconds by ${who}`,
    verdict.resetsInMs,
  );
}

function setHeaders(response: Response, bucket: RateBucket, verdict: RateLimitResult): void {
  const { limit, remaining, resetsInMs } = verdict;
  response.set({
    'ratelimit-policy': `"${bucket}";q=${limit};w=${WINDOW_S}`,
    ratelimit: `"${bucket}";r=${remaining};t=${wholeSeconds(resetsInMs)}`,
  });
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1_000));
}
