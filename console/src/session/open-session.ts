import { getSession, type TokenSession } from '@postrider/client';
import { API_BASE } from './api-base.js';
import type { Session } from './session.js';

/** While an upgrade is rolled out, an api of the version before may respond, which does not name the limits. */
type AnySession = Omit<TokenSession, 'effectivePermissions' | 'endpointIds'> &
  Partial<Pick<TokenSession, 'effectivePermissions' | 'endpointIds'>>;

/**
 * Characters that no token has, as when it was copied with typographic quotes. Each is replaced by one that a header can have, so
 * that the api refuses the token: `fetch` would throw the error of a lost connection.
 */
const NOT_ASCII = /[^!-~]/gu;

/** @throws PostriderError `Unauthorized` when the token is unknown, expired or revoked */
export async function openSession({ token, source }: Pick<Session, 'token' | 'source'>): Promise<Session> {
  const session: AnySession = await getSession({
    baseUrl: API_BASE,
    token: token.replace(NOT_ASCII, '?'),
    // A page that cannot open its session offers to try again.
    retry: { times: 0 },
  });
  const {
    permissions,
    effectivePermissions = permissions,
    endpointIds = null,
    workspace,
    expiresAt,
  } = session;
  return { token, source, workspace, expiresAt, permissions: new Set(effectivePermissions), endpointIds };
}
