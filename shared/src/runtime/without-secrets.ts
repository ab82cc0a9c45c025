import { SECRET_PREFIXES } from '../domain/secret-prefixes.js';

export const CENSOR = '[redacted]';

const PREFIXES = Object.values(SECRET_PREFIXES).join('|');
/** Matches secrets in free text: those with a prefix, in base64 or base64url, signed JWTs, and passwords in URLs. */
const SECRET_TEXT = new RegExp(
  `(?:${PREFIXES})[\\w+/-]{20,}=*|(?<![\\w-])eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]*|(?<=://[^\\s/@:"]{0,256}:)[^\\s/"]+(?=@)`,
  'g',
);

/** Redacts text that looks like a secret, because error messages may quote anything. */
export function withoutSecrets(text: string): string {
  return text.replace(SECRET_TEXT, CENSOR);
}
