import { Refusal } from '../domain/refusal.js';

interface Times {
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

/** @throws Refusal `InvalidRequest` for times that exclude each other */
export function refuseTimes({ createdAfter, createdBefore }: Times): void {
  if (createdAfter === undefined || createdBefore === undefined || createdBefore >= createdAfter) return;
  throw Refusal.invalid({ path: 'createdBefore', message: 'must not be before createdAfter' });
}
