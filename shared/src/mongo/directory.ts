import type { ApiToken } from '../domain/api-token.js';
import type { Workspace } from '../domain/workspace.js';
import type { Directory } from '../ports/directory.js';
import type { Collections } from './collections.js';
import { fromDocument } from './documents.js';

/** Tokens and workspaces, as a request names them. */
export function directory({
  apiTokens,
  workspaces,
}: Pick<Collections, 'apiTokens' | 'workspaces'>): Directory {
  return {
    async tokenByHash(hash) {
      const found = await apiTokens.findOne({ hash });
      return found && fromDocument<ApiToken>(found);
    },
    async workspaceBySlug(slug) {
      const found = await workspaces.findOne({ slug }, { projection: { guard: 0 } });
      return found && fromDocument<Workspace>(found);
    },
    async workspaceById(id) {
      const found = await workspaces.findOne({ _id: id }, { projection: { guard: 0 } });
      return found && fromDocument<Workspace>(found);
    },
    async noteUse(tokenId, at) {
      await apiTokens.updateOne({ _id: tokenId }, { $max: { lastUsedAt: at } });
    },
  };
}
