import { coalesce } from '@postrider/shared/runtime/coalesce';
import { answerInTime } from './answer-in-time.js';

/**
 * Looks up values by a unique key. Requests that arrive together, or while a query runs, share the next query: it
 * starts after all of them have arrived, so each sees all changes that were acknowledged before its arrival.
 *
 * @returns a function that returns the value of a key, or null
 */
export function sharedLookup<T>(
  query: (keys: readonly string[]) => Promise<readonly T[]>,
  keyOf: (found: T) => string,
  withinMs?: number,
): (key: string) => Promise<T | null> {
  const lookup = coalesce(async (keys: readonly string[]) => {
    const found = await answerInTime(query([...new Set(keys)]), withinMs);
    return new Map(found.map((one) => [keyOf(one), one]));
  });
  return async (key) => (await lookup(key)).get(key) ?? null;
}
