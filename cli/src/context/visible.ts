/**
 * Control characters, and characters that set the direction of text. A terminal would execute them, and others may have
 * written the texts.
 */
const CONTROLS = /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A copy of a JSON value in which every text shows such characters as escapes, for example `\u001b`. */
export function visible<T>(value: T): T {
  return escaped(value) as T;
}

function escaped(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(CONTROLS, escapeOf);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [escaped(name), escaped(part)]));
}

function escapeOf(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Equivalent JSON that escapes such characters. `JSON.stringify` escapes only some of them. */
export function visibleJson(value: object): string {
  return JSON.stringify(value).replace(CONTROLS, escapeOf);
}
