import { coalesce } from '@postrider/shared/runtime/coalesce';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { Refusal } from '../domain/refusal.js';

/** A query that hangs must not keep the next one from starting for longer than this, in milliseconds. */
const QUERY_WITHIN_MS = 5_000;

/**
 * Looks up values by a unique key. Requests that arrive together, or while a query runs, share the next query: it
 * starts after all of them have arrived, so each sees all changes that were acknowledged before its arrival.
 *
 * @returns a function that returns the value of a key, or null
 */
export function sharedLookup<T>(
  query: (keys: readonly string[]) => Promise<readonly T[]>,
  keyOf: (found: T) => string,
  withinMs = QUERY_WITHIN_MS,
): (key: string) => Promise<T | null> {
  const lookup = coalesce(async (keys: readonly string[]) => {
    const found = await withTimeout(query([...new Set(keys)]), withinMs, () =>
      Promise.reject(new Refusal('Unavailable', 'The database did not respond in time. Try again.')),
    );
    return new Map(found.map((one) => [keyOf(one), one]));
  });
  return async (key) => (await lookup(key)).get(key) ?? null;
}
