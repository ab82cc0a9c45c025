export type JsonTokenKind = 'key' | 'string' | 'number' | 'literal' | 'punctuation';

export interface JsonToken {
  readonly kind: JsonTokenKind;
  readonly text: string;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[^"\w-]+|./gs;

/** Splits formatted JSON into tokens. Joined, they are the text again. */
export function jsonTokens(text: string): readonly JsonToken[] {
  return [...text.matchAll(TOKEN)].map((match) => {
    const [token] = match;
    return { kind: kindOf(token, text.charAt(match.index + token.length)), text: token };
  });
}

/** In formatted JSON a colon follows a key at once. */
function kindOf(token: string, next: string): JsonTokenKind {
  if (token.startsWith('"')) return next === ':' ? 'key' : 'string';
  if (/^-?\d/.test(token)) return 'number';
  return /^(true|false|null)$/.test(token) ? 'literal' : 'punctuation';
}
