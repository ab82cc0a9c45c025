import type { Collections } from '@postrider/shared/mongo/collections';
import { MongoServerError } from 'mongodb';
import type { StoredSecrets } from '../ports/stored-secrets.js';

/** Maximum number of results that are left to a transaction: a hundred times as many may not fit into the database's cache. */
const FEW = 1_000;
/** In milliseconds, less than the time limit of a response. */
const WITHIN_MS = 6_000;
const TIME_EXCEEDED = 50;

export function createStoredSecrets({
  idempotencyKeys,
}: Pick<Collections, 'idempotencyKeys'>): StoredSecrets {
  return {
    async removeMany(secretOf) {
      if ((await idempotencyKeys.countDocuments({ secretOf }, { limit: FEW + 1 })) <= FEW) return true;
      try {
        await idempotencyKeys.deleteMany({ secretOf }, { maxTimeMS: WITHIN_MS });
        return true;
      } catch (error) {
        if (error instanceof MongoServerError && error.code === TIME_EXCEEDED) return false;
        throw error;
      }
    },
  };
}
