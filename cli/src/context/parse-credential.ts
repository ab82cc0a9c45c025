interface Credential {
  readonly token: string;
  /** The address of the api that a portal link names; null for a token alone. */
  readonly url: string | null;
}

/** Reads an API token, or the URL of a portal link: `<console>/#token=…`. */
export function parseCredential(given: string): Credential {
  const text = given.trim();
  if (!URL.canParse(text)) return { token: text, url: null };
  const { origin, pathname, hash } = new URL(text);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? text;
  return { token, url: /^\/console\/?$/.test(pathname) ? origin : null };
}
