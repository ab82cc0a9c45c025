import { type Mistake, Refusal } from '../domain/refusal.js';

const MAX_NAME_LENGTH = 100;

/** @throws Refusal with all mistakes together, if there are any: `InvalidRequest`, or with the tag of one */
export function refuseMistakes(mistakes: readonly Mistake[]): void {
  if (mistakes.length === 0) return;
  throw Refusal.invalid(...mistakes.map((mistake) => ({ ...mistake, path: shorten(mistake.path) })));
}

/** Truncates a name that the caller sent, so that it can be repeated in an answer. */
function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}
