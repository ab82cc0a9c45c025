import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Collections, Document, WorkspaceDocument } from '@postrider/shared/mongo/collections';
import { fromDocument } from '@postrider/shared/mongo/documents';
import type { Directory } from '../ports/directory.js';

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
