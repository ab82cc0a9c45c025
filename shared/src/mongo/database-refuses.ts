import { MongoServerError } from 'mongodb';

/** Server errors of a user without a right, of a validation rule that was added, and of a full disk. */
const REFUSAL_CODES: ReadonlySet<unknown> = new Set([13, 121, 14_031]);

/** Returns whether the database refused a valid request for a cause that its operator can remove. */
export function isDatabaseRefusal(error: unknown): boolean {
  return error instanceof MongoServerError && REFUSAL_CODES.has(error.code);
}
