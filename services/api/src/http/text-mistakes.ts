import type { InputError } from '../domain/refusal.js';

const NUL = '\u0000';

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
