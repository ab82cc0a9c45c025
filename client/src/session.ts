import { authorizationOf } from './authorization.js';
import type { ClientOptions } from './client.js';
import type { components } from './generated/openapi.js';
import { errorOf, isForeign, UnexpectedAnswer } from './postrider-error.js';
import { withRetries } from './retry.js';
import { type SendOptions, sendOnce } from './send-once.js';

export type TokenSession = components['schemas']['TokenSession'];

interface SessionOptions extends SendOptions, Pick<ClientOptions, 'baseUrl' | 'retry'> {
  readonly token: string;
}

/**
 * Returns the workspace and the permissions of a token, for callers that know only the token.
 *
 * @throws PostriderError `Unauthorized` when the token is unknown, expired or revoked; UnexpectedAnswer when the response is
 * not from Postrider; InvalidToken, without a request
 */
export async function getSession(options: SessionOptions): Promise<TokenSession> {
  const { baseUrl, token, retry } = options;
  const request = new Request(`${baseUrl.replace(/\/+$/, '')}/session`, {
    headers: { authorization: authorizationOf(token) },
  });
  const response = await withRetries(sendOnce(options), retry)(request);
  if (!response.ok || isForeign(response)) throw await errorOf(response);
  const session: unknown = await response.json();
  if (!isSession(session)) throw new UnexpectedAnswer(response.status, JSON.stringify(session));
  return session;
}

/** Any other service may answer with JSON at the same path. */
function isSession(value: unknown): value is TokenSession {
  return typeof value === 'object' && value !== null && 'workspace' in value;
}
