import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Collections, Document, WorkspaceDocument } from '@postrider/shared/mongo/collections';
import { fromDocument } from '@postrider/shared/mongo/documents';
import type { Directory } from '../ports/reads.js';
import { sharedLookup } from './shared-lookup.js';

type TokenWithWorkspace = Document<ApiToken> & { readonly workspaces: readonly WorkspaceDocument[] };

export function createDirectory({
  apiTokens,
  workspaces,
}: Pick<Collections, 'apiTokens' | 'workspaces'>): Directory {
  const lookup = {
    from: workspaces.collectionName,
    localField: 'workspaceId',
    foreignField: '_id',
    as: 'workspaces',
  };
  // Runs for every request: one query costs half as much as two.
  const findToken = sharedLookup(
    (hashes) =>
      apiTokens
        .aggregate<TokenWithWorkspace>([{ $match: { hash: { $in: hashes } } }, { $lookup: lookup }])
        .toArray(),
    ({ hash }) => hash,
  );
  return {
    async bearerByHash(hash) {
      const found = await findToken(hash);
      if (found === null) return null;
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
    async recordUse(tokenId, at) {
      await apiTokens.updateOne({ _id: tokenId }, { $max: { lastUsedAt: at } });
    },
  };
}

function fromWorkspace({ guard: _, ...workspace }: WorkspaceDocument): Workspace {
  return fromDocument<Workspace>(workspace);
}
