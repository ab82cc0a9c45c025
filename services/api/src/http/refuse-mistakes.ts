import { type InputError, Refusal } from '../domain/refusal.js';
import { MAX_MISTAKES } from './schema-check.js';

const MAX_NAME_LENGTH = 100;

/** @throws Refusal `InvalidRequest` with all mistakes together, should there be any */
export function refuseMistakes(mistakes: readonly InputError[]): void {
  if (mistakes.length === 0) return;
  const told = mistakes.slice(0, MAX_MISTAKES).map(({ path, message }) => ({ path: shorten(path), message }));
  throw new Refusal('InvalidRequest', sentenceOf(told), told);
}

/** What callers make up is not repeated to them at any length. */
function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}

function sentenceOf(mistakes: readonly InputError[]): string {
  return `${mistakes.map(({ path, message }) => `${path} ${message}`).join('; ')}.`;
}
