import { sizeText } from './byte-writer.js';

/** Records with the same key that are already encoded, so that nothing is allocated for each of their parts. */
export interface EncodedRecords {
  readonly key: string;
  /** The key, the value and the headers of each record as the protocol has them, one character for each byte. */
  readonly encoded: readonly string[];
}

/** A text with its length before it. @param text one character for each byte */
export function sized(text: string): string {
  return sizeText(text.length) + text;
}

/** The count of headers, which goes before them. */
export const headerCount = sizeText;

const NO_ESCAPES = /^[ !#-[\]-~]*$/;
const NOT_ASCII = /[^ -~]/g;

/** A text as JSON in ASCII. */
export function asciiJson(text: string | null): string {
  if (text === null) return 'null';
  if (NO_ESCAPES.test(text)) return `"${text}"`;
  return JSON.stringify(text).replace(NOT_ASCII, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
