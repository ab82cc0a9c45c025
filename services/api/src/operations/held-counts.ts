import { disabledSince } from '@postrider/shared/domain/disabled-period';
import type { Endpoint, SearchedEndpoint } from '@postrider/shared/domain/endpoint';
import type { HeldPeriod } from '../ports/reads.js';
import type { Deps } from './deps.js';
import { staleWhileRevalidate } from './stale-while-revalidate.js';

/** Counting more of an endpoint would make lists of disabled endpoints expensive. */
const AT_MOST = 10_000;
const COUNT_MAX_AGE_MS = 5_000;

/** Counts the deliveries that were held since each of these endpoints was disabled. Enabled ones are absent. */
export type CountHeld = (endpoints: readonly Endpoint[]) => Promise<ReadonlyMap<string, number>>;

/** The current disabled period of an endpoint; null if it is enabled. */
export function heldPeriodOf(endpoint: SearchedEndpoint): HeldPeriod | null {
  return endpoint.enabled ? null : { endpointId: endpoint.id, since: disabledSince(endpoint) };
}

/**
 * Counts are cached for a few seconds, so that polling a list of disabled endpoints costs the database little. Those of one
 * call that are not cached are read together.
 */
export function createCountHeld({ deliveries, clock }: Pick<Deps, 'deliveries' | 'clock'>): CountHeld {
  const counts = staleWhileRevalidate<number>({
    clock,
    maxAgeMs: COUNT_MAX_AGE_MS,
    refreshAfterMs: COUNT_MAX_AGE_MS,
  });
  return async (endpoints) => {
    const missing: HeldPeriod[] = [];
    // Starts once each endpoint has been looked up in the cache.
    const counted = Promise.resolve().then(() => deliveries.countHeld(missing, AT_MOST));
    const read = async (period: HeldPeriod) => {
      missing.push(period);
      return (await counted).get(period.endpointId) ?? 0;
    };
    const periods = endpoints.flatMap((endpoint) => heldPeriodOf(endpoint) ?? []);
    const found = periods.map(async (period) => {
      const { endpointId, since } = period;
      const { value } = await counts(`${endpointId} ${since.getTime()}`, () => read(period));
      return [endpointId, value] as const;
    });
    return new Map(await Promise.all(found));
  };
}
