import type { Attempt } from '@postrider/shared/domain/delivery';
import type { Collections, DeliveryDocument } from '@postrider/shared/mongo/collections';
import { countDeliveries } from '@postrider/shared/mongo/delivery-counts';
import { attemptFields, embeddedAttempts, fromDeliveryDocument } from '@postrider/shared/mongo/documents';
import type { Filter } from 'mongodb';
import type { DeliveryReads } from '../ports/reads.js';
import { deliveryQuery } from './delivery-query.js';
import { sharedLookup } from './shared-lookup.js';

/** The rows of lists have no attempts. */
const WITHOUT_RECORDS = { records: 0 } as const;
/** One page reads at most this many rows; the next one goes on from there. */
const MOST_ROWS_READ = 100_000;
const NEWEST_FIRST = { _id: -1 } as const;

type DeliveryCollections = Pick<Collections, 'deliveries' | 'attempts' | 'endpoints'>;

export function createDeliveryReads(
  { deliveries, attempts, endpoints }: DeliveryCollections,
  mostRowsRead = MOST_ROWS_READ,
): DeliveryReads {
  const findRow = sharedLookup(
    (ids) => deliveries.find({ _id: { $in: [...ids] } }, { projection: WITHOUT_RECORDS }).toArray(),
    ({ _id }) => _id,
  );
  const readBounded = (indexed: Filter<DeliveryDocument>, others: Filter<DeliveryDocument>, limit: number) =>
    deliveries
      .aggregate<DeliveryDocument>([
        { $match: indexed },
        { $sort: NEWEST_FIRST },
        { $limit: mostRowsRead },
        { $match: others },
        { $limit: limit },
        { $project: WITHOUT_RECORDS },
      ])
      .toArray();
  /** The last row that a bounded read may have read; null if there are fewer rows, or it is of another workspace. */
  const boundOf = async (workspaceId: string, indexed: Filter<DeliveryDocument>) => {
    const options = { projection: { workspaceId: 1 }, sort: NEWEST_FIRST, skip: mostRowsRead - 1 } as const;
    const bound = await deliveries.findOne(indexed, options);
    return bound?.workspaceId === workspaceId ? bound._id : null;
  };
  return {
    async find(workspaceId, id) {
      const found = await findRow(id);
      return found?.workspaceId === workspaceId ? fromDeliveryDocument(found) : null;
    },
    async findSeveral(workspaceId, ids) {
      const found = deliveries.find({ _id: { $in: [...ids] }, workspaceId }, { projection: WITHOUT_RECORDS });
      return (await found.toArray()).map(fromDeliveryDocument);
    },
    async oldestOf(workspaceId, eventId) {
      const options = { projection: WITHOUT_RECORDS, sort: { _id: 1 } } as const;
      const found = await deliveries.findOne({ 'payload.eventId': eventId }, options);
      return found?.workspaceId === workspaceId ? fromDeliveryDocument(found) : null;
    },
    async list(workspaceId, slice) {
      const query = deliveryQuery(workspaceId, slice);
      if (query === null) return { deliveries: [], readTo: null };
      const { indexed, others } = query;
      const { limit } = slice;
      const options = { projection: WITHOUT_RECORDS, sort: NEWEST_FIRST, limit };
      const rows =
        others === null
          ? await deliveries.find(indexed, options).toArray()
          : await readBounded(indexed, others, limit);
      // An endpoint and an event belong to one workspace: the rows of another one are none of this caller's.
      if (rows.some((row) => row.workspaceId !== workspaceId)) return { deliveries: [], readTo: null };
      const readTo = others !== null && rows.length < limit ? await boundOf(workspaceId, indexed) : null;
      return { deliveries: rows.map(fromDeliveryDocument), readTo };
    },
    async newestReplays(ids) {
      const newest = await deliveries
        .aggregate<{ _id: string; newest: string }>([
          { $match: { replayedFrom: { $in: [...ids] } } },
          { $group: { _id: '$replayedFrom', newest: { $max: '$_id' } } },
        ])
        .toArray();
      return new Map(newest.map((replay) => [replay._id, replay.newest]));
    },
    async attempts(workspaceId, deliveryId) {
      const records = { workspaceId: 1, endpointId: 1, records: 1 } as const;
      const [row, separate] = await Promise.all([
        deliveries.findOne({ _id: deliveryId, workspaceId }, { projection: records }),
        attempts.find({ _id: { $gt: `${deliveryId}:`, $lt: `${deliveryId};` }, workspaceId }).toArray(),
      ]);
      const found = [...separate.map(attemptFields), ...(row === null ? [] : embeddedAttempts(row))];
      return found.sort((one, other) => one.ordinal - other.ordinal) as Attempt[];
    },
    countHeld: (endpointId, heldSince, limit) =>
      deliveries.countDocuments({ endpointId, heldSince }, { limit }),
    countByStatus: countDeliveries({ deliveries, endpoints }),
  };
}
