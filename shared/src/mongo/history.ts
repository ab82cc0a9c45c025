import type { ClientSession } from 'mongodb';
import { firstIdAt } from '../domain/id.js';
import type { History } from '../ports/housekeeping.js';
import { createCleanupProgress } from './cleanup-progress.js';
import { HAS_ENDED } from './collections.js';
import type { Database } from './connect.js';
import { inTransaction } from './transaction.js';

const MAX_RECORDS_OF_A_DELIVERY = 8;

export function createHistory({ client, db, collections }: Database): History {
  const { progress, saveProgress } = createCleanupProgress({ db, collections });
  const { deliveries, attempts, endpoints, unmatchedEvents } = collections;
  /** Terminal rows do not change, so this needs no transaction. Their embedded attempts go with them. */
  const removeRows = async (ids: readonly string[], session?: ClientSession) => {
    const { deletedCount } = await deliveries.deleteMany({ _id: { $in: [...ids] } }, session && { session });
    return deletedCount;
  };
  /** Attempts of versions that stored them apart. */
  const removeRowsWithAttempts = (ids: readonly string[]) =>
    inTransaction(client, async (session) => {
      const records = ids.flatMap((id) =>
        Array.from({ length: MAX_RECORDS_OF_A_DELIVERY }, (_, n) => `${id}:${n + 1}`),
      );
      await attempts.deleteMany({ _id: { $in: records } }, { session });
      return removeRows(ids, session);
    });
  return {
    progress,
    saveProgress,
    async endOfSlice({ from, before }, rows) {
      const next = await deliveries.findOne(
        { _id: { $gte: from, $lt: before } },
        { projection: { _id: 1 }, sort: { _id: 1 }, skip: rows },
      );
      return next?._id ?? before;
    },
    async removeExpired({ from, before }, limit) {
      const expired = await deliveries
        .find(
          { _id: { $gte: from, $lt: before }, ...HAS_ENDED },
          { projection: { _id: 1 }, sort: { _id: 1 }, limit },
        )
        .toArray();
      const ids = expired.map(({ _id }) => _id);
      const [first, last] = [ids.at(0), ids.at(-1)];
      if (first === undefined || last === undefined) return { removed: 0, last: null };
      const separate = await attempts.findOne(
        { _id: { $gt: first, $lt: `${last};` } },
        { projection: { _id: 1 } },
      );
      const removed = await (separate === null ? removeRows(ids) : removeRowsWithAttempts(ids));
      return { removed, last: ids.length < limit ? null : last };
    },
    async removeUnmatchedEvents(before, limit) {
      const expired = await unmatchedEvents
        .find({ _id: { $lt: firstIdAt('event', before) } }, { projection: { _id: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
      const { deletedCount } = await unmatchedEvents.deleteMany({
        _id: { $in: expired.map(({ _id }) => _id) },
      });
      return deletedCount;
    },
    async removeTombstones(from, limit) {
      const deleted = { $type: 'date', ...(from && { $gte: from }) };
      const unused = await endpoints
        .aggregate<{ _id: string; deletedAt: Date }>([
          { $match: { deletedAt: deleted } },
          { $sort: { deletedAt: 1 } },
          { $lookup: { from: deliveries.collectionName, as: 'remaining', ...LAST_DELIVERY } },
          { $match: { remaining: [] } },
          { $limit: limit },
          { $project: { deletedAt: 1 } },
        ])
        .toArray();
      const ids = unused.map(({ _id }) => _id);
      const { deletedCount } = await endpoints.deleteMany({
        _id: { $in: ids },
        deletedAt: { $type: 'date' },
      });
      const last = unused.length < limit ? null : (unused.at(-1)?.deletedAt ?? null);
      return { removed: deletedCount, last };
    },
  };
}

/** One remaining delivery keeps the tombstone of its endpoint. */
const LAST_DELIVERY = {
  localField: '_id',
  foreignField: 'endpointId',
  pipeline: [{ $limit: 1 }, { $project: { _id: 1 } }],
};
