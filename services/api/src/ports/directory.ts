import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { Workspace } from '@postrider/shared/domain/workspace';

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
