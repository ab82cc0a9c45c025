import type { TokenSession } from '../contract/session.js';
import type { Call } from './call.js';

/** The workspace and the permissions of the calling token. */
export async function getSession({ credential, workspace, permissions }: Call): Promise<TokenSession> {
  if (credential === null) throw new Error('only a token has a session');
  return {
    tokenId: credential.id,
    workspace: { slug: workspace.slug, name: workspace.name },
    permissions: [...permissions],
    expiresAt: credential.expiresAt?.toISOString() ?? null,
  };
}
