import { currentHolding } from '@postrider/shared/domain/current-holding';
import { disabledSince } from '@postrider/shared/domain/disabled-period';
import type { Endpoint, SearchedEndpoint } from '@postrider/shared/domain/endpoint';
import type { EndpointPeriod } from '../ports/reads.js';
import type { Deps } from './deps.js';
import { staleWhileRevalidate } from './stale-while-revalidate.js';

/** Maximum count for one endpoint. */
const MAX_COUNT = 10_000;
/** Maximum count in one call: more would make lists of disabled endpoints expensive. */
const MAX_COUNT_TOGETHER = 50_000;
const COUNT_MAX_AGE_MS = 5_000;

/**
 * Counts the deliveries that were held since each of these endpoints was disabled. Enabled ones are absent. Beyond the limit of a
 * call, the answer is fan-out's own count, which lacks the deliveries that were queued when the endpoint was disabled.
 */
export type CountHeld = (endpoints: readonly Endpoint[]) => Promise<ReadonlyMap<string, number>>;

/** The current disabled period of an endpoint; null if it is enabled. */
export function currentPeriodOf(endpoint: SearchedEndpoint): EndpointPeriod | null {
  return endpoint.enabled ? null : { endpointId: endpoint.id, since: disabledSince(endpoint) };
}

/**
 * Counts are cached for a few seconds, so that polling a list of disabled endpoints costs the database little. Counts of
 * one call that are not cached are read together.
 */
export function createCountHeld({ deliveries, clock }: Pick<Deps, 'deliveries' | 'clock'>): CountHeld {
  const counts = staleWhileRevalidate<number>({
    clock,
    maxAgeMs: COUNT_MAX_AGE_MS,
    refreshAfterMs: COUNT_MAX_AGE_MS,
  });
  return async (endpoints) => {
    const missing: EndpointPeriod[] = [];
    const disabled = endpoints.flatMap((endpoint) => {
      const period = currentPeriodOf(endpoint);
      return period === null ? [] : [{ ...period, heldByFanOut: currentHolding(endpoint)?.rows ?? 0 }];
    });
    const maxCount = Math.min(MAX_COUNT, Math.floor(MAX_COUNT_TOGETHER / disabled.length));
    // Starts once each endpoint has been looked up in the cache.
    const counted = Promise.resolve().then(() => deliveries.countHeld(missing, maxCount));
    const read = async (period: EndpointPeriod) => {
      missing.push(period);
      return (await counted).get(period.endpointId) ?? 0;
    };
    const found = disabled.map(async ({ heldByFanOut, ...period }) => {
      const { endpointId, since } = period;
      const { value } = await counts(`${endpointId} ${since.getTime()} ${maxCount}`, () => read(period));
      const isAll = value < maxCount;
      return [endpointId, isAll ? value : Math.max(value, Math.min(heldByFanOut, MAX_COUNT))] as const;
    });
    return new Map(await Promise.all(found));
  };
}
