import type { TokenSession } from '../contract/session.js';
import type { Call } from './call.js';

/** The workspace and the permissions of the calling token. */
export async function getSession({ token, workspace, permissions }: Call): Promise<TokenSession> {
  if (token === null) throw new Error('only a token has a session');
  return {
    tokenId: token.id,
    workspace: { slug: workspace.slug, name: workspace.name },
    permissions: [...permissions],
    expiresAt: token.expiresAt?.toISOString() ?? null,
  };
}
