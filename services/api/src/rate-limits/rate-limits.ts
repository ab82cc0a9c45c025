import type { Log } from '@postrider/shared/ports/log';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { RateBucket } from '../document/openapi.js';
import { type Count, type Counter, createCounter, WINDOW_S } from './counter.js';

export type { Count } from './counter.js';
export { WINDOW_S } from './counter.js';

/** Requests per window and client, by bucket; 0 means unlimited. */
export type Limits = Readonly<Record<RateBucket, number>>;

/** The limits of several clients together; a bucket without a limit has none. */
export function multiply(limits: Limits, factor: number): Limits {
  return {
    rest_read: limits.rest_read * factor,
    rest_write: limits.rest_write * factor,
    assistant: limits.assistant * factor,
    publish: limits.publish * factor,
    mcp: limits.mcp * factor,
  };
}

/** The result of counting a request against its limit. */
export interface RateLimitResult extends Count {
  readonly limit: number;
}

/** Counts a request of a client in a bucket. Never fails. @returns null without a limit */
export type RateLimits = (bucket: RateBucket, client: string) => Promise<RateLimitResult | null>;

interface RateLimitParts {
  readonly limits: Limits;
  /** Creates counters that all processes share; null to count in each process. */
  readonly shared: ((bucket: RateBucket, limit: number) => Counter) | null;
  /** How long a request waits for the shared counter, in milliseconds. */
  readonly sharedTimeoutMs?: number;
  readonly monotonicMs: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** How long a request waits for the shared counter unless stated otherwise, in milliseconds. */
const SHARED_TIMEOUT_MS = 250;
/** How long the shared counter is not used after it failed or timed out, in milliseconds. */
const FALLBACK_MS = 5_000;

/** Counts with counters that all processes share. While these fail, each process counts on its own. */
export function createRateLimits({
  limits,
  shared,
  sharedTimeoutMs = SHARED_TIMEOUT_MS,
  monotonicMs,
  log,
}: RateLimitParts): RateLimits {
  const timedOut = () => Promise.reject(new Error(`no response within ${sharedTimeoutMs} ms`));
  const counters = {
    rest_read: createCounters('rest_read', limits.rest_read, shared),
    rest_write: createCounters('rest_write', limits.rest_write, shared),
    assistant: createCounters('assistant', limits.assistant, shared),
    publish: createCounters('publish', limits.publish, shared),
    mcp: createCounters('mcp', limits.mcp, shared),
  } satisfies Record<RateBucket, unknown>;
  let fallbackUntil = Number.NEGATIVE_INFINITY;

  return async (bucket, client) => {
    const limit = limits[bucket];
    if (limit === 0) return null;
    const { sharedCounter, localCounter } = counters[bucket];
    if (sharedCounter !== null && monotonicMs() >= fallbackUntil) {
      try {
        return { limit, ...(await withTimeout(sharedCounter(client), sharedTimeoutMs, timedOut)) };
      } catch (err) {
        fallbackUntil = monotonicMs() + FALLBACK_MS;
        log.warn(
          { event: 'rate_limits.not_shared', err },
          'shared rate limits failed: counting requests in this process only',
        );
      }
    }
    return { limit, ...(await localCounter(client)) };
  };
}

function createCounters(bucket: RateBucket, limit: number, shared: RateLimitParts['shared']) {
  const memory = new RateLimiterMemory({ keyPrefix: bucket, points: limit, duration: WINDOW_S });
  return { sharedCounter: shared?.(bucket, limit) ?? null, localCounter: createCounter(memory) };
}
