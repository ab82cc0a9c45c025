import type { Log } from '@postrider/shared/ports/log';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateBucket } from '../document/openapi.js';
import { type Count, type Counter, counterOf, WINDOW_S } from './counter.js';

export type { Count } from './counter.js';
export { WINDOW_S } from './counter.js';

/** Requests per window and client, by bucket; 0 lifts a limit. */
export type Limits = Readonly<Record<RateBucket, number>>;

/** What became of one more request, and the limit that it was held against. */
export interface Verdict extends Count {
  readonly limit: number;
}

/** Counts one more request of a client in a bucket; null where there is no limit. It never fails. */
export type RateLimits = (bucket: RateBucket, client: string) => Promise<Verdict | null>;

interface RateLimitParts {
  readonly limits: Limits;
  /** Null when there is none: then each process counts for itself. */
  readonly shared: ((bucket: RateBucket, limit: number) => Counter) | null;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** How long a request waits for the shared count, in milliseconds. */
const SHARED_WITHIN_MS = 250;
/** How long nobody asks for the shared count after it failed or took too long, in milliseconds. */
const REST_MS = 5_000;

/** Limits that all processes share, and an in-process brake for as long as sharing does not work. */
export function rateLimits({ limits, shared, now, log }: RateLimitParts): RateLimits {
  const counters = {
    rest_read: countersOf('rest_read', limits.rest_read, shared),
    rest_write: countersOf('rest_write', limits.rest_write, shared),
    assistant: countersOf('assistant', limits.assistant, shared),
    mcp: countersOf('mcp', limits.mcp, shared),
  } satisfies Record<RateBucket, unknown>;
  let restsUntil = Number.NEGATIVE_INFINITY;

  return async (bucket, client) => {
    const limit = limits[bucket];
    if (limit === 0) return null;
    const { ours, brake } = counters[bucket];
    if (ours !== null && now() >= restsUntil) {
      try {
        return { limit, ...(await withTimeout(ours(client), SHARED_WITHIN_MS, tooLate)) };
      } catch (err) {
        restsUntil = now() + REST_MS;
        log.warn({ event: 'rate_limits.not_shared', err }, 'requests are counted in this process alone');
      }
    }
    return { limit, ...(await brake(client)) };
  };
}

function countersOf(bucket: RateBucket, limit: number, shared: RateLimitParts['shared']) {
  const memory = new RateLimiterMemory({ keyPrefix: bucket, points: limit, duration: WINDOW_S });
  return { ours: shared?.(bucket, limit) ?? null, brake: counterOf(memory) };
}

const tooLate = () => Promise.reject(new Error(`no count within ${SHARED_WITHIN_MS} ms`));
