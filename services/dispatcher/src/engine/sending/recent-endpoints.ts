import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import type { EndpointId } from '@postrider/shared/domain/id';
import { LRUCache } from 'lru-cache';
import type { LatestStreaks } from '../settling/latest-streaks.js';
import type { KnownRow } from './known-rows.js';

/** The last read of each endpoint. It also serves the rows that were kept before it. */
export interface RecentEndpoints {
  /** Notes what a read of these endpoints found. @param readAt when it began; monotonic, in milliseconds */
  note(ids: readonly EndpointId[], found: ReadonlyMap<EndpointId, EndpointTarget>, readAt: number): void;
  /** The endpoint of a row that is kept, at most 250 ms old; null if it must be read. */
  current(row: Pick<KnownRow, 'endpoint' | 'endpointReadAt'>): EndpointTarget | null;
  clear(): void;
}

interface RecentEndpointsParts {
  readonly latestStreaks: Pick<LatestStreaks, 'latest'>;
  readonly monotonicMs: () => number;
}

/** Maximum age of an endpoint's read when a POST to it starts, in milliseconds. */
const ENDPOINT_MS = 250;
/** Maximum number of endpoints whose last read is remembered. */
const MAX_KEPT = 1_000;

export function createRecentEndpoints({ latestStreaks, monotonicMs }: RecentEndpointsParts): RecentEndpoints {
  const recent = new LRUCache<string, Pick<KnownRow, 'endpoint' | 'endpointReadAt'>>({ max: MAX_KEPT });
  return {
    note(ids, found, endpointReadAt) {
      for (const id of ids) {
        const endpoint = found.get(id);
        if (endpoint === undefined) recent.delete(id);
        else recent.set(id, { endpoint, endpointReadAt });
      }
    },
    current(row) {
      const last = recent.get(row.endpoint.id);
      const { endpoint, endpointReadAt } =
        last !== undefined && last.endpointReadAt >= row.endpointReadAt ? last : row;
      const isCurrent =
        monotonicMs() - endpointReadAt <= ENDPOINT_MS && latestStreaks.latest(endpoint) === endpoint;
      return isCurrent ? endpoint : null;
    },
    clear: () => recent.clear(),
  };
}
