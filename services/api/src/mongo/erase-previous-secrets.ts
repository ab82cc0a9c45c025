import type { Collections } from '@postrider/shared/mongo/collections';
import { idPages } from '@postrider/shared/mongo/id-pages';
import { partialWrite } from '@postrider/shared/mongo/partial-write';
import type { ErasedSecrets, RejectedErasure } from '../ports/erased-secrets.js';

/** Endpoints in one write. */
const ENDPOINTS_AT_ONCE = 1_000;

/** Erases the previous signing secrets whose grace period has ended, except those whose erasure the database rejects. */
export function createErasePreviousSecrets({ endpoints }: Pick<Collections, 'endpoints'>) {
  const eraseIn = async (ids: readonly string[], hasEnded: object): Promise<ErasedSecrets> => {
    // Each on its own: an update of several documents ends at the first one that the database rejects.
    const updates = ids.map((_id) => ({
      updateOne: { filter: { _id, ...hasEnded }, update: { $set: { 'secrets.previous': null } } },
    }));
    try {
      const { modifiedCount } = await endpoints.bulkWrite(updates, { ordered: false });
      return { erased: modifiedCount, rejected: [] };
    } catch (error) {
      const { result, rejected } = partialWrite(error);
      const reasons = rejected.map(({ index, errmsg }) => ({
        endpointId: ids[index] ?? '',
        reason: errmsg ?? '',
      }));
      return { erased: result.modifiedCount, rejected: reasons };
    }
  };
  return async (now: Date): Promise<ErasedSecrets> => {
    const hasEnded = { 'secrets.previous.expiresAt': { $type: 'date', $lte: now } } as const;
    const found = endpoints.find(hasEnded, { projection: { _id: 1 } });
    const rejected: RejectedErasure[] = [];
    let erased = 0;
    for await (const ids of idPages(found, ENDPOINTS_AT_ONCE)) {
      const ofPage = await eraseIn(ids, hasEnded);
      erased += ofPage.erased;
      rejected.push(...ofPage.rejected);
    }
    return { erased, rejected };
  };
}
