import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { Request, Response } from 'express';
import type { RateBucket } from '../document/openapi.js';
import { Refusal } from '../domain/refusal.js';
import { clientKey } from '../rate-limits/client-key.js';
import { type RateLimits, WINDOW_S } from '../rate-limits/rate-limits.js';

interface Limited {
  readonly request: Request;
  readonly response: Response;
  readonly bucket: RateBucket;
  /** The caller's token; null unless it is valid. */
  readonly token: ApiToken | null;
}

/**
 * Counts a request and sets the rate limit headers, which every response has.
 *
 * @throws Refusal `RateLimited`
 */
export async function limitRate(
  limits: RateLimits,
  { request, response, bucket, token }: Limited,
): Promise<void> {
  const verdict = await limits(bucket, clientKey(request, token));
  if (verdict === null || response.headersSent) return;
  const { limit, remaining, resetsInMs, isAdmitted } = verdict;
  const seconds = Math.max(1, Math.ceil(resetsInMs / 1_000));
  response.set({
    'ratelimit-policy': `"${bucket}";q=${limit};w=${WINDOW_S}`,
    ratelimit: `"${bucket}";r=${remaining};t=${seconds}`,
  });
  if (isAdmitted) return;
  response.set('retry-after', String(seconds));
  throw new Refusal(
    'RateLimited',
    `More than ${limit} requests of this kind in ${WINDOW_S} seconds. Try again in ${seconds} seconds.`,
  );
}
