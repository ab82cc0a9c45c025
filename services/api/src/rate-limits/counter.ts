import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

/** The span that requests are counted over, in seconds. */
export const WINDOW_S = 60;

/** What a count comes to after one more request. */
export interface Count {
  readonly isAdmitted: boolean;
  readonly remaining: number;
  readonly resetsInMs: number;
}

/** Counts one more request of a client. Fails when the place where it counts does. */
export type Counter = (client: string) => Promise<Count>;

/** The library says no by throwing what it also answers with; anything else that it throws is a failure. */
export function counterOf(limiter: Pick<RateLimiterAbstract, 'consume'>): Counter {
  return async (client) => {
    try {
      return countOf(await limiter.consume(client), true);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return countOf(refused, false);
      throw refused;
    }
  };
}

function countOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isAdmitted: boolean): Count {
  return { isAdmitted, remaining: remainingPoints, resetsInMs: msBeforeNext };
}
