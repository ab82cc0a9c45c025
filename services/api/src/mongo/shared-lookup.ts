import { coalesce } from '@postrider/shared/runtime/coalesce';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { Refusal } from '../domain/refusal.js';

/** A query that hangs must not keep the next one from starting for longer than this, in milliseconds. */
const QUERY_WITHIN_MS = 5_000;

/**
 * Looks things up by a unique key. Requests that arrive together, or while a query is under way, share the next query:
 * it starts after all of them have arrived, so each sees every change that was acknowledged before it.
 *
 * @returns finds one thing; null when there is none
 */
export function sharedLookup<T>(
  query: (keys: readonly string[]) => Promise<readonly T[]>,
  keyOf: (found: T) => string,
  withinMs = QUERY_WITHIN_MS,
): (key: string) => Promise<T | null> {
  const lookup = coalesce(async (keys: readonly string[]) => {
    const found = await withTimeout(query([...new Set(keys)]), withinMs, () =>
      Promise.reject(new Refusal('Unavailable', 'The database did not answer in time. Try again.')),
    );
    return new Map(found.map((one) => [keyOf(one), one]));
  });
  return async (key) => (await lookup(key)).get(key) ?? null;
}
