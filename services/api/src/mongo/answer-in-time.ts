import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { Refusal } from '../domain/refusal.js';

/** Time limit of a query that others wait for, in milliseconds: one that hangs must not delay the next one for longer. */
const QUERY_WITHIN_MS = 5_000;

/** @throws a refusal if a query that others wait for takes too long */
export function answerInTime<T>(query: Promise<T>, withinMs = QUERY_WITHIN_MS): Promise<T> {
  return withTimeout(query, withinMs, () =>
    Promise.reject(new Refusal('Unavailable', 'The database did not respond in time. Try again.')),
  );
}
