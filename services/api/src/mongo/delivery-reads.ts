import type { Attempt } from '@postrider/shared/domain/delivery';
import { firstIdAt } from '@postrider/shared/domain/id';
import { type Collections, type DeliveryDocument, STILL_DUE } from '@postrider/shared/mongo/collections';
import { countDeliveries } from '@postrider/shared/mongo/delivery-counts';
import { attemptFields, embeddedAttempts, fromDeliveryDocument } from '@postrider/shared/mongo/documents';
import type { Filter } from 'mongodb';
import type { DeliveryReads, DeliverySlice } from '../ports/reads.js';
import { sharedLookup } from './shared-lookup.js';

/** The rows of lists have no attempts. */
const WITHOUT_RECORDS = { records: 0 } as const;

type DeliveryCollections = Pick<Collections, 'deliveries' | 'attempts' | 'endpoints'>;

export function createDeliveryReads({ deliveries, attempts, endpoints }: DeliveryCollections): DeliveryReads {
  const findRow = sharedLookup(
    (ids) => deliveries.find({ _id: { $in: [...ids] } }, { projection: WITHOUT_RECORDS }).toArray(),
    ({ _id }) => _id,
  );
  return {
    async find(workspaceId, id) {
      const found = await findRow(id);
      return found?.workspaceId === workspaceId ? fromDeliveryDocument(found) : null;
    },
    async list(workspaceId, endpointId, slice) {
      const rows = await deliveries
        .find({ ...filterOf(slice), workspaceId, endpointId }, { projection: WITHOUT_RECORDS })
        .sort({ _id: -1 })
        .limit(slice.limit)
        .toArray();
      return rows.map(fromDeliveryDocument);
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

/**
 * Converts times to ranges of the time-ordered `_id`, so one index serves both order and dates.
 *
 * The condition on pending rows lets the query planner choose between two indexes. If few rows are pending, the index of
 * due rows finds them and the database sorts them; if many are, it soon finds them in the order of the list.
 */
function filterOf({
  status,
  eventType,
  createdAfter,
  createdBefore,
  after,
}: DeliverySlice): Filter<DeliveryDocument> {
  const start = createdAfter && firstIdAt('delivery', new Date(createdAfter.getTime() + 1));
  const before = createdBefore && firstIdAt('delivery', createdBefore);
  const ends = [before, after].filter((id) => id !== null).sort();
  const range = { ...(start !== null && { $gte: start }), ...(ends[0] !== undefined && { $lt: ends[0] }) };
  return {
    ...(Object.keys(range).length > 0 && { _id: range }),
    ...(status !== null && { status }),
    ...(status === 'pending' && STILL_DUE),
    ...(eventType !== null && { eventType }),
  };
}
