import { firstIdAt } from '@postrider/shared/domain/id';
import { type Collections, type DeliveryDocument, STILL_DUE } from '@postrider/shared/mongo/collections';
import { countDeliveries } from '@postrider/shared/mongo/delivery-counts';
import { fromAttemptDocument, fromDeliveryDocument } from '@postrider/shared/mongo/documents';
import type { Filter } from 'mongodb';
import type { DeliveryReads, DeliverySlice } from '../ports/delivery-reads.js';

type Needed = Pick<Collections, 'deliveries' | 'attempts' | 'endpoints'>;

export function deliveryReads({ deliveries, attempts, endpoints }: Needed): DeliveryReads {
  return {
    async find(workspaceId, id) {
      const found = await deliveries.findOne({ _id: id, workspaceId });
      return found && fromDeliveryDocument(found);
    },
    async list(workspaceId, endpointId, slice) {
      const rows = await deliveries
        .find({ ...matching(slice), workspaceId, endpointId })
        .sort({ _id: -1 })
        .limit(slice.limit)
        .toArray();
      return rows.map(fromDeliveryDocument);
    },
    async attempts(workspaceId, deliveryId) {
      const rows = await attempts
        .find({ _id: { $gt: `${deliveryId}:`, $lt: `${deliveryId};` }, workspaceId })
        .toArray();
      return rows.map(fromAttemptDocument).sort((one, other) => one.ordinal - other.ordinal);
    },
    countByStatus: countDeliveries({ deliveries, endpoints }),
  };
}

/**
 * The filter of a slice. Moments become ranges of the time-ordered `_id`, so one index serves order and dates.
 *
 * Pending rows are due, and few rows are: when nearly all are done, the index of due rows finds them and the database
 * sorts the few; when many are pending, it meets them soon in the order of the list. It tries both and takes the first
 * that gets there.
 */
function matching({
  status,
  eventType,
  createdAfter,
  createdBefore,
  after,
}: DeliverySlice): Filter<DeliveryDocument> {
  const from = createdAfter && firstIdAt('delivery', new Date(createdAfter.getTime() + 1));
  const before = createdBefore && firstIdAt('delivery', createdBefore);
  const ends = [before, after].filter((id) => id !== null).sort();
  const range = { ...(from !== null && { $gte: from }), ...(ends[0] !== undefined && { $lt: ends[0] }) };
  return {
    ...(Object.keys(range).length > 0 && { _id: range }),
    ...(status !== null && { status }),
    ...(status === 'pending' && STILL_DUE),
    ...(eventType !== null && { eventType }),
  };
}
