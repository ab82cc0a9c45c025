import { type Mistake, Refusal } from '../domain/refusal.js';

/** @throws Refusal with all mistakes together, if there are any: `InvalidRequest`, or with the tag of one */
export function refuseMistakes(mistakes: readonly Mistake[]): void {
  if (mistakes.length > 0) throw Refusal.invalid(...mistakes);
}
