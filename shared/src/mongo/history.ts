import { firstIdAt } from '../domain/id.js';
import type { History } from '../ports/housekeeping.js';
import { HAS_ENDED } from './collections.js';
import type { Database } from './connect.js';
import { inTransaction } from './transaction.js';

const MAX_RECORDS_OF_A_DELIVERY = 8;

export function createHistory({ client, collections }: Database): History {
  const { deliveries, attempts, endpoints } = collections;
  return {
    removeExpired: (before, limit) =>
      inTransaction(client, async (session) => {
        const expired = await deliveries
          .find(
            { _id: { $lt: firstIdAt('delivery', before) }, ...HAS_ENDED },
            { projection: { _id: 1 }, sort: { _id: 1 }, limit, session },
          )
          .toArray();
        const ids = expired.map(({ _id }) => _id);
        if (ids.length === 0) return 0;
        const records = ids.flatMap((id) =>
          Array.from({ length: MAX_RECORDS_OF_A_DELIVERY }, (_, n) => `${id}:${n + 1}`),
        );
        await attempts.deleteMany({ _id: { $in: records } }, { session });
        await deliveries.deleteMany({ _id: { $in: ids } }, { session });
        return ids.length;
      }),
    async removeTombstones(limit) {
      const unused = await endpoints
        .aggregate<{ _id: string }>([
          { $match: { deletedAt: { $type: 'date' } } },
          { $lookup: { from: deliveries.collectionName, as: 'remaining', ...LAST_DELIVERY } },
          { $match: { remaining: [] } },
          { $limit: limit },
          { $project: { _id: 1 } },
        ])
        .toArray();
      const ids = unused.map(({ _id }) => _id);
      const removed = await endpoints.deleteMany({ _id: { $in: ids }, deletedAt: { $type: 'date' } });
      return removed.deletedCount;
    },
  };
}

/** One remaining delivery keeps the tombstone of its endpoint. */
const LAST_DELIVERY = {
  localField: '_id',
  foreignField: 'endpointId',
  pipeline: [{ $limit: 1 }, { $project: { _id: 1 } }],
};
