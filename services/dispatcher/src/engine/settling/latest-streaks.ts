import type { SettledEndpoint } from '@postrider/shared/domain/endpoint';
import { LRUCache } from 'lru-cache';

/** The streaks after this process's transactions: an endpoint that was read before such a transaction may be outdated. */
export interface LatestStreaks {
  /** Notes an endpoint as a transaction left it. */
  note(endpoint: SettledEndpoint): void;
  /** Returns the newer of the endpoint as it was read and as it was noted. */
  latest(endpoint: SettledEndpoint): SettledEndpoint;
}

/** A change matters until the attempts that began before it have ended. */
const KEPT_MS = 10 * 60_000;
const MAX_KEPT = 50_000;

export function createLatestStreaks(monotonicMs: () => number = () => performance.now()): LatestStreaks {
  const noted = new LRUCache<string, SettledEndpoint>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
    perf: { now: monotonicMs },
  });
  return {
    note: (endpoint) => void noted.set(endpoint.id, endpoint),
    latest(endpoint) {
      const known = noted.get(endpoint.id);
      return known !== undefined && known.streakVersion > endpoint.streakVersion ? known : endpoint;
    },
  };
}
