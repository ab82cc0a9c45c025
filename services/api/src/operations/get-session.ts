import type { TokenSession } from '../contract/session.js';
import type { Call } from './call.js';
import { isEffective } from './effective-permissions.js';

/** The workspace, the permissions and the limits of the calling token. */
export async function getSession({ credential, workspace, permissions }: Call): Promise<TokenSession> {
  if (credential === null) throw new Error('only a token has a session');
  return {
    tokenId: credential.id,
    workspace: { slug: workspace.slug, name: workspace.name },
    permissions: [...permissions],
    effectivePermissions: [...permissions].filter((permission) => isEffective(permission, credential)),
    endpointIds: credential.endpointIds && [...credential.endpointIds],
    expiresAt: credential.expiresAt?.toISOString() ?? null,
  };
}
