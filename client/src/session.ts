import type { components } from './generated/openapi.js';
import { errorOf, isForeign, UnexpectedAnswer } from './postrider-error.js';

export type TokenSession = components['schemas']['TokenSession'];

interface SessionOptions {
  /** The URL of the api, such as `https://postrider.example.com`. */
  readonly baseUrl: string;
  readonly token: string;
}

/**
 * Returns the workspace and the permissions of a token, for callers that know only the token.
 *
 * @throws PostriderError `Unauthorized` when the token is unknown, expired or revoked; UnexpectedAnswer when the response is
 * not from Postrider
 */
export async function getSession({ baseUrl, token }: SessionOptions): Promise<TokenSession> {
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/session`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok || isForeign(response)) throw await errorOf(response);
  const session: unknown = await response.json();
  if (!isSession(session)) throw new UnexpectedAnswer(response.status, JSON.stringify(session));
  return session;
}

/** Any other service may answer with JSON at the same path. */
function isSession(value: unknown): value is TokenSession {
  return typeof value === 'object' && value !== null && 'workspace' in value;
}
