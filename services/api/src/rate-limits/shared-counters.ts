import type { Collections } from '@postrider/shared/mongo/collections';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import type { RateBucket } from '../document/openapi.js';
import { type Counter, counterOf, WINDOW_S } from './counter.js';

/**
 * Counters that all processes share. Whoever is over the limit is remembered here until the window ends, so a flood
 * costs the database nothing.
 */
export function sharedCounters({ rateLimits }: Pick<Collections, 'rateLimits'>) {
  return (bucket: RateBucket, limit: number): Counter =>
    counterOf(
      new RateLimiterMongo({
        storeClient: { collection: () => rateLimits },
        tableName: rateLimits.collectionName,
        keyPrefix: bucket,
        points: limit,
        duration: WINDOW_S,
        inMemoryBlockOnConsumed: limit + 1,
        // `migrate` makes them, as for every collection.
        disableIndexesCreation: true,
      }),
    );
}
