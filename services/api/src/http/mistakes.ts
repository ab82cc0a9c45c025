import { type InputError, Refusal } from '../domain/refusal.js';
import { MAX_MISTAKES } from './schema-check.js';

const MAX_NAME_LENGTH = 100;
const NUL = '\u0000';

/** @throws Refusal `InvalidRequest` with all mistakes together, if there are any */
export function refuseMistakes(mistakes: readonly InputError[]): void {
  if (mistakes.length === 0) return;
  const reported = mistakes
    .slice(0, MAX_MISTAKES)
    .map(({ path, message }) => ({ path: shorten(path), message }));
  const detail = reported.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new Refusal('InvalidRequest', `${detail}.`, reported);
}

/** Names that come from the caller are repeated only up to a length. */
function shorten(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : `${name.slice(0, MAX_NAME_LENGTH)}…`;
}

/** Reports texts that cannot be stored and returned unchanged: those with NUL characters or lone surrogates. */
export function textMistakes(value: unknown): readonly InputError[] {
  const mistakes: InputError[] = [];
  const visit = (part: unknown, path: string): void => {
    if (typeof part === 'string' && isBroken(part)) {
      mistakes.push({ path, message: 'must not contain NUL characters or lone surrogates' });
    }
    if (typeof part !== 'object' || part === null) return;
    const place = (key: string) =>
      Array.isArray(part) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    for (const [key, item] of Object.entries(part)) visit(item, place(key));
  };
  visit(value, '');
  return mistakes;
}

function isBroken(text: string): boolean {
  return text.includes(NUL) || !text.isWellFormed();
}
