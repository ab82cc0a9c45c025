import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** The length of a counting window in seconds. */
export const WINDOW_S = 60;

/** The state of a counter after a request. */
export interface Count {
  readonly isAdmitted: boolean;
  readonly remaining: number;
  readonly resetsInMs: number;
}

/** Counts requests of a client, one unless stated otherwise. Fails when its store fails. */
export type Counter = (client: string, requests?: number) => Promise<Count>;

/** The library rejects a request by throwing its result; any other error is a failure. */
export function createCounter(limiter: Pick<RateLimiterAbstract, 'consume'>): Counter {
  return async (client, requests = 1) => {
    try {
      return countOf(await limiter.consume(client, requests), true);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return countOf(refused, false);
      throw refused;
    }
  };
}

function countOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isAdmitted: boolean): Count {
  return { isAdmitted, remaining: remainingPoints, resetsInMs: msBeforeNext };
}
