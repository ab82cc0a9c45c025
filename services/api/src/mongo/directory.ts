import type { Member } from '@postrider/shared/domain/member';
import type { PortalLink } from '@postrider/shared/domain/portal-link';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type {
  Collections,
  Document,
  TokenDocument,
  WorkspaceDocument,
} from '@postrider/shared/mongo/collections';
import { fromDocument } from '@postrider/shared/mongo/documents';
import { fromTokenDocument } from '@postrider/shared/mongo/token-document';
import type { Directory } from '../ports/reads.js';
import { sharedLookup } from './shared-lookup.js';

type LinkWithCreator = Document<PortalLink> & {
  readonly creators: readonly TokenDocument[];
  readonly workspaces: readonly WorkspaceDocument[];
};
type TokenWithWorkspace = TokenDocument & { readonly workspaces: readonly WorkspaceDocument[] };

type WorkspaceWithMember = WorkspaceDocument & { readonly members: readonly Document<Member>[] };

type DirectoryCollections = Pick<Collections, 'apiTokens' | 'members' | 'portalLinks' | 'workspaces'>;

export function createDirectory({
  apiTokens,
  members,
  portalLinks,
  workspaces,
}: DirectoryCollections): Directory {
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
  const findLink = sharedLookup(
    (hashes) =>
      portalLinks
        .aggregate<LinkWithCreator>([
          { $match: { hash: { $in: hashes } } },
          { $lookup: { ...lookup, from: apiTokens.collectionName, localField: 'makerId', as: 'creators' } },
          { $lookup: lookup },
        ])
        .toArray(),
    ({ hash }) => hash,
  );
  return {
    async portalBearerByHash(hash) {
      const found = await findLink(hash);
      if (found === null) return null;
      const {
        creators: [creator],
        workspaces: [workspace],
        ...link
      } = found;
      if (creator === undefined || workspace === undefined) return null;
      const token = fromTokenDocument(creator);
      return { link: fromDocument<PortalLink>(link), token, workspace: fromWorkspace(workspace) };
    },
    async bearerByHash(hash) {
      const found = await findToken(hash);
      if (found === null) return null;
      const {
        workspaces: [workspace],
        ...token
      } = found;
      return workspace === undefined
        ? null
        : { link: null, token: fromTokenDocument(token), workspace: fromWorkspace(workspace) };
    },
    async workspaceBySlug(slug) {
      const found = await workspaces.findOne({ slug });
      return found && fromWorkspace(found);
    },
    async memberByEmail(slug, email) {
      const ofWorkspace = { from: members.collectionName, localField: '_id', foreignField: 'workspaceId' };
      const [found] = await workspaces
        .aggregate<WorkspaceWithMember>([
          { $match: { slug } },
          { $lookup: { ...ofWorkspace, pipeline: [{ $match: { email } }], as: 'members' } },
        ])
        .toArray();
      if (found === undefined) return null;
      const {
        members: [member],
        ...workspace
      } = found;
      if (member === undefined) return null;
      return { member: fromDocument<Member>(member), workspace: fromWorkspace(workspace) };
    },
    async workspaceWithPendingFamilies(after) {
      const token = await apiTokens.findOne(
        { family: 'pending', workspaceId: { $gt: after ?? '' } },
        { projection: { workspaceId: 1 }, sort: { workspaceId: 1 } },
      );
      const found = token && (await workspaces.findOne({ _id: token.workspaceId }));
      return found && fromWorkspace(found);
    },
    async recordUse(tokenId, { at, address }) {
      await apiTokens.updateOne(
        { _id: tokenId, lastUsedAt: { $not: { $gte: at } } },
        { $set: { lastUsedAt: at, lastUsedAddress: address } },
      );
    },
  };
}

function fromWorkspace({ guard: _, quotas: __, ...workspace }: WorkspaceDocument): Workspace {
  return fromDocument<Workspace>(workspace);
}
