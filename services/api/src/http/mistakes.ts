import { type InputError, Refusal } from '../domain/refusal.js';

const MAX_NAME_LENGTH = 100;

/** @throws Refusal `InvalidRequest` with all mistakes together, if there are any */
export function refuseMistakes(mistakes: readonly InputError[]): void {
  if (mistakes.length === 0) return;
  throw Refusal.invalid(...mistakes.map(({ path, message }) => ({ path: shorten(path), message })));
}

/** Truncates a name that the caller sent, so that it can be repeated in an answer. */
function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}
