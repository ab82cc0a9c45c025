const MAX_URL_LENGTH = 2_048;
const PROTOCOLS: readonly string[] = ['https:', 'http:'];

/** Returns what is wrong with the form of a webhook URL; null if the rules for destinations decide. */
export function problemWithForm(text: string): string | null {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  if (hasWhiteSpaceOrControls(text)) return 'must not contain white space or control characters';
  // A URL parser replaces lone surrogates, so the text would name another URL.
  if (!text.isWellFormed()) return 'must not contain incomplete characters';
  if (!URL.canParse(text)) return 'is not an absolute URL';
  const { protocol, username, password } = new URL(text);
  if (!PROTOCOLS.includes(protocol)) return 'must start with https://';
  if (username !== '' || password !== '' || withoutEmptyUserinfo(text) !== text)
    return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  return null;
}

/** The URL without the `@` of an empty user name, which URL parsers drop. URLs that were stored earlier may have it. */
export function withoutEmptyUserinfo(text: string): string {
  return text.replace(/^(https?:[\\/]*):?@/i, '$1');
}

function hasWhiteSpaceOrControls(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code === 127) return true;
  }
  return false;
}
