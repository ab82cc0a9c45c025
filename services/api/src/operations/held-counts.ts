import { disabledSince } from '@postrider/shared/domain/disabled-period';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import type { Deps } from './deps.js';
import { staleWhileRevalidate } from './stale-while-revalidate.js';

/** Counting more of an endpoint would make lists of disabled endpoints expensive. */
const AT_MOST = 10_000;
const COUNT_MAX_AGE_MS = 5_000;

/** Counts the deliveries that were held since an endpoint was disabled; 0 for an enabled one. */
export type CountHeld = (endpoint: Endpoint) => Promise<number>;

/** Counts are cached for a few seconds, so that polling a list of disabled endpoints costs the database little. */
export function createCountHeld({ deliveries, clock }: Pick<Deps, 'deliveries' | 'clock'>): CountHeld {
  const counts = staleWhileRevalidate<number>({
    clock,
    maxAgeMs: COUNT_MAX_AGE_MS,
    refreshAfterMs: COUNT_MAX_AGE_MS,
  });
  return async (endpoint) => {
    if (endpoint.enabled) return 0;
    const since = disabledSince(endpoint);
    const key = `${endpoint.id} ${since.getTime()}`;
    return (await counts(key, () => deliveries.countHeld(endpoint.id, since, AT_MOST))).value;
  };
}
