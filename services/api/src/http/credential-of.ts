import { type ApiToken, isLive } from '@postrider/shared/domain/api-token';
import type { Credential } from '../domain/credential.js';
import type { Bearer } from '../ports/reads.js';

/** The credential of a bearer; null when it has ended. A portal link also ends with the token that made it. */
export function credentialOf(bearer: Bearer, now: Date): Credential | null {
  if (!isLive(bearer.token, now)) return null;
  if (bearer.link === null) return ofToken(bearer.token);
  if (!isLive(bearer.link, now)) return null;
  const { id, workspaceId, scopes, expiresAt, endpointIds } = bearer.link;
  const limit = endpointIds && new Set<string>(endpointIds);
  return { type: 'portal_link', id, workspaceId, scopes, role: null, expiresAt, endpointIds: limit };
}

function ofToken({ id, workspaceId, scopes, expiresAt }: ApiToken): Credential {
  return { type: 'api_token', id, workspaceId, scopes, role: null, expiresAt, endpointIds: null };
}
