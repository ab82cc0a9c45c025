const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Why a URL cannot be trusted with keys or tokens; null if it can. */
export function problemWithUrl(text: string): string | null {
  if (!URL.canParse(text)) return 'is not a URL';
  const { protocol, hostname, username, password } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && LOOPBACK.has(hostname)))
    return 'is not an https:// URL; http:// is for loopback addresses only';
  return username !== '' || password !== '' ? 'contains a user or a password' : null;
}

/** Why a text cannot identify an authorization server or a resource (RFC 8414, RFC 8707); null if it can. */
export function problemWithIdentifier(text: string): string | null {
  return problemWithUrl(text) ?? (/[?#]/.test(text) ? 'has a query or a fragment' : null);
}
