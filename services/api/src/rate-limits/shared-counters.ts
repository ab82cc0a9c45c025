import type { Collections } from '@postrider/shared/mongo/collections';
import { RateLimiterMongo } from 'rate-limiter-flexible';
import type { RateBucket } from '../document/openapi.js';
import { type Counter, createCounter, WINDOW_S } from './counter.js';

/** Creates the counter of a bucket. */
export type SharedCounters = (bucket: RateBucket, limit: number) => Counter;

/**
 * Counters in MongoDB that all processes share. Clients over the limit are blocked in memory until their window ends, so
 * that a flood of requests does not reach the database.
 */
export function createSharedCounters({ rateLimits }: Pick<Collections, 'rateLimits'>): SharedCounters {
  return (bucket: RateBucket, limit: number): Counter =>
    createCounter(
      new RateLimiterMongo({
        storeClient: { collection: () => rateLimits },
        tableName: rateLimits.collectionName,
        keyPrefix: bucket,
        points: limit,
        duration: WINDOW_S,
        inMemoryBlockOnConsumed: limit + 1,
        // `migrate` creates them.
        disableIndexesCreation: true,
      }),
    );
}
