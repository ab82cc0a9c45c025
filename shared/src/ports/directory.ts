import type { ApiToken } from '../domain/api-token.js';
import type { Workspace } from '../domain/workspace.js';

/** A token, and the workspace that it opens. */
export interface Bearer {
  readonly token: ApiToken;
  readonly workspace: Workspace;
}

/** Who is asking, and about which workspace. */
export interface Directory {
  /** @param hash SHA-256 of the bearer's secret, hex */
  bearerByHash(hash: string): Promise<Bearer | null>;
  workspaceBySlug(slug: string): Promise<Workspace | null>;
  /** Notes when a token was last used, unless a later use is noted already. */
  noteUse(tokenId: string, at: Date): Promise<void>;
}
