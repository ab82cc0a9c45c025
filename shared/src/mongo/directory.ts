import type { ApiToken } from '../domain/api-token.js';
import type { Workspace } from '../domain/workspace.js';
import type { Directory } from '../ports/directory.js';
import type { Collections, Document, WorkspaceDocument } from './collections.js';
import { fromDocument } from './documents.js';

type TokenWithWorkspace = Document<ApiToken> & { readonly workspaces: readonly WorkspaceDocument[] };

/** Tokens and workspaces, as a request names them. */
export function directory({
  apiTokens,
  workspaces,
}: Pick<Collections, 'apiTokens' | 'workspaces'>): Directory {
  return {
    // Every request asks this: one question costs half of what two do.
    async bearerByHash(hash) {
      const [found] = await apiTokens
        .aggregate<TokenWithWorkspace>([
          { $match: { hash } },
          {
            $lookup: {
              from: workspaces.collectionName,
              localField: 'workspaceId',
              foreignField: '_id',
              as: 'workspaces',
            },
          },
        ])
        .toArray();
      if (found === undefined) return null;
      const {
        workspaces: [workspace],
        ...token
      } = found;
      return workspace === undefined
        ? null
        : { token: fromDocument<ApiToken>(token), workspace: fromWorkspace(workspace) };
    },
    async workspaceBySlug(slug) {
      const found = await workspaces.findOne({ slug });
      return found && fromWorkspace(found);
    },
    async noteUse(tokenId, at) {
      await apiTokens.updateOne({ _id: tokenId }, { $max: { lastUsedAt: at } });
    },
  };
}

function fromWorkspace({ guard: _, ...workspace }: WorkspaceDocument): Workspace {
  return fromDocument<Workspace>(workspace);
}
