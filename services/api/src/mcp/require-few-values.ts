import { Refusal } from '../domain/refusal.js';

/** A message has some dozens. The protocol's library takes time for each, and reports a mistake in each. */
const MAX_VALUES = 1_000;

/**
 * Checks the size of a message without its arguments, which have limits of their own.
 *
 * @throws Refusal `InvalidRequest` if it has too many values
 */
export function requireFewValues(message: unknown): void {
  if (countUpTo(MAX_VALUES, message) <= MAX_VALUES) return;
  const problem = `must have at most ${MAX_VALUES} values besides its arguments`;
  throw new Refusal('InvalidRequest', `The message ${problem}.`, [{ path: 'body', message: problem }]);
}

/** Counts the values within a value, and ends after more than `most`. */
function countUpTo(most: number, value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const part of Object.values(value)) {
    if (count > most) break;
    count += countUpTo(most - count, part);
  }
  return count;
}
