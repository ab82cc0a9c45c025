import { LRUCache } from 'lru-cache';

const MAX_ENDED_TOKENS = 1_000;

/**
 * What was found for tokens that have ended, by their hash. They are not looked up again: a client that continues with one, such
 * as a page that is still open, uses up nothing of what its address may look up.
 */
export function createEndedTokens<Found extends object>(): Pick<LRUCache<string, Found>, 'get' | 'set'> {
  return new LRUCache({ max: MAX_ENDED_TOKENS });
}
