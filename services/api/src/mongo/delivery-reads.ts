import type { Attempt } from '@postrider/shared/domain/delivery';
import type { Collections, DeliveryDocument } from '@postrider/shared/mongo/collections';
import type { Database } from '@postrider/shared/mongo/connect';
import { countDeliveries } from '@postrider/shared/mongo/delivery-counts';
import { attemptFields, embeddedAttempts, fromDeliveryDocument } from '@postrider/shared/mongo/documents';
import type { ClientSession, Filter } from 'mongodb';
import type { DeliveriesFound, DeliveryReads } from '../ports/reads.js';
import { deliveryQuery } from './delivery-query.js';
import { sharedLookup } from './shared-lookup.js';

/** The rows of lists have no attempts. */
const WITHOUT_RECORDS = { records: 0 } as const;
/** One page reads at most this many rows; the next one goes on from there. */
const MOST_ROWS_READ = 100_000;
const NEWEST_FIRST = { _id: -1 } as const;
const NOTHING: DeliveriesFound = { deliveries: [], readTo: null };

interface DeliveryDatabase {
  readonly client: Database['client'];
  readonly collections: Pick<Collections, 'deliveries' | 'attempts' | 'endpoints'>;
}

export function createDeliveryReads(
  { client, collections: { deliveries, attempts, endpoints } }: DeliveryDatabase,
  mostRowsRead = MOST_ROWS_READ,
): DeliveryReads {
  const countIn = countDeliveries({ deliveries, endpoints });
  const findRow = sharedLookup(
    (ids) => deliveries.find({ _id: { $in: [...ids] } }, { projection: WITHOUT_RECORDS }).toArray(),
    ({ _id }) => _id,
  );
  /** The last row that a bounded read may have read; null if there are fewer rows. */
  const boundOf = (indexed: Filter<DeliveryDocument>, session: ClientSession) =>
    deliveries.findOne(indexed, {
      projection: { workspaceId: 1 },
      sort: NEWEST_FIRST,
      skip: mostRowsRead - 1,
      session,
    });
  /** Reads one snapshot: rows that are inserted meanwhile would move the bound to rows that the page has already. */
  const readBounded = (indexed: Filter<DeliveryDocument>, others: Filter<DeliveryDocument>, limit: number) =>
    client.withSession({ snapshot: true }, async (session) => {
      const stages = [
        { $match: indexed },
        { $sort: NEWEST_FIRST },
        { $limit: mostRowsRead },
        { $match: others },
        { $limit: limit },
        { $project: WITHOUT_RECORDS },
      ];
      const rows = await deliveries.aggregate<DeliveryDocument>(stages, { session }).toArray();
      return { rows, bound: rows.length < limit ? await boundOf(indexed, session) : null };
    });
  const readAll = async (indexed: Filter<DeliveryDocument>, limit: number) => {
    const options = { projection: WITHOUT_RECORDS, sort: NEWEST_FIRST, limit };
    return { rows: await deliveries.find(indexed, options).toArray(), bound: null };
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
      if (query === null) return NOTHING;
      const { indexed, others } = query;
      const { rows, bound } = await (others === null
        ? readAll(indexed, slice.limit)
        : readBounded(indexed, others, slice.limit));
      // An endpoint and an event belong to one workspace: the rows of another one are none of this caller's.
      const read = bound === null ? rows : [...rows, bound];
      if (read.some((row) => row.workspaceId !== workspaceId)) return NOTHING;
      return { deliveries: rows.map(fromDeliveryDocument), readTo: bound?._id ?? null };
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
    async countByStatus(workspaceId, since) {
      const countsOf = await countIn([workspaceId], since);
      return countsOf(workspaceId);
    },
  };
}
