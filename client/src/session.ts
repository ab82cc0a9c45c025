import type { components } from './generated/openapi.js';
import { errorOf } from './postrider-error.js';

export type TokenSession = components['schemas']['TokenSession'];

interface SessionOptions {
  /** The URL of the api, such as `https://postrider.example.com`. */
  readonly baseUrl: string;
  readonly token: string;
}

/**
 * Returns the workspace and the permissions of a token, for callers that know only the token.
 *
 * @throws PostriderError `Unauthorized` when the token is unknown, expired or revoked
 */
export async function getSession({ baseUrl, token }: SessionOptions): Promise<TokenSession> {
  const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/session`, {
    headers: { authorization: `Bearer ${token}` },
  });
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as TokenSession;
}
