import type { ApiToken } from '@postrider/shared/domain/api-token';
import type { Collections, TokenDocument } from '@postrider/shared/mongo/collections';
import { fromTokenDocument } from '@postrider/shared/mongo/token-document';
import type { ClientSession, Filter } from 'mongodb';
import type { MadeTokens, Transaction } from '../ports/unit-of-work.js';
import { repositoryOf } from './repository.js';

const LIVE_BY_EXPIRY = { workspaceId: 1, revokedAt: 1, expiresAt: 1 };
const LIVE_BY_CREATOR = { workspaceId: 1, createdBy: 1, expiresAt: 1 };
const UNMARKED_BY_CREATOR = { workspaceId: 1, createdBy: 1, family: 1, expiresAt: 1 };

/** The tokens of one transaction, and the state of their families. */
export function tokensIn({ apiTokens }: Collections, session: ClientSession): Transaction['tokens'] {
  const { insert, save } = repositoryOf<ApiToken, TokenDocument>(apiTokens, session);
  const count = (filter: Filter<TokenDocument>, limit: number) =>
    limit === 0 ? 0 : apiTokens.countDocuments(filter, { session, limit });
  return {
    insert,
    save,
    async find(workspaceId, id) {
      const found = await apiTokens.findOne({ _id: id, workspaceId }, { session });
      return found && fromTokenDocument(found);
    },
    /** Two counts, because each is a range of one index. */
    async countLive(workspaceId, now, atMost) {
      const live = { workspaceId, revokedAt: null };
      const lasting = await count({ ...live, expiresAt: null }, atMost);
      return lasting + (await count({ ...live, expiresAt: { $gt: now } }, atMost - lasting));
    },
    countStored: (ids) => apiTokens.countDocuments({ _id: { $in: [...ids] } }, { session }),
    async pending(workspaceId, limit) {
      const filter = { workspaceId, family: 'pending' } as const;
      const found = await apiTokens.find(filter, { session, projection: { _id: 1 }, limit }).toArray();
      return found.map(({ _id }) => _id);
    },
    /** Two queries, because each is a range of one index. */
    async live({ workspaceId, unexpiredAt }, limit) {
      const live = { workspaceId, revokedAt: null };
      const find = (filter: Filter<TokenDocument>) =>
        apiTokens.find({ ...live, ...filter }, { session, limit, hint: LIVE_BY_EXPIRY }).toArray();
      const found = [
        ...(await find({ expiresAt: null })),
        ...(await find({ expiresAt: { $gt: unexpiredAt } })),
      ];
      return found.slice(0, limit).map(fromTokenDocument);
    },
    async liveOf(ids) {
      const filter = { _id: { $in: [...ids] }, revokedAt: null };
      return (await apiTokens.find(filter, { session }).toArray()).map(fromTokenDocument);
    },
    async creators(ids) {
      const projection = { createdBy: 1, family: 1 };
      const found = await apiTokens.find({ _id: { $in: [...ids] } }, { session, projection }).toArray();
      return found.map(({ _id: id, createdBy = null, family = null }) => ({ id, createdBy, family }));
    },
    async liveMadeBy(made, limit) {
      const options = { session, limit, hint: LIVE_BY_CREATOR };
      const found = await apiTokens.find({ ...madeBy(made), revokedAt: null }, options).toArray();
      return found.map(fromTokenDocument);
    },
    async revokedMadeBy(made, limit) {
      const filter = { ...madeBy(made), family: { $exists: false }, revokedAt: { $ne: null } };
      const options = { session, limit, hint: UNMARKED_BY_CREATOR, projection: { _id: 1 } };
      return (await apiTokens.find(filter, options).toArray()).map(({ _id }) => _id);
    },
    async revoke(ids, revokedAt) {
      await apiTokens.updateMany({ _id: { $in: [...ids] } }, { $set: { revokedAt } }, { session });
    },
    async markFamilies(ids, family) {
      await apiTokens.updateMany({ _id: { $in: [...ids] } }, { $set: { family } }, { session });
    },
  };
}

/** One condition with two ranges of the indexes: tokens without expiry, and those that expire later. */
function madeBy({ workspaceId, creatorIds, unexpiredAt }: MadeTokens) {
  return { workspaceId, createdBy: { $in: [...creatorIds] }, expiresAt: { $not: { $lte: unexpiredAt } } };
}
