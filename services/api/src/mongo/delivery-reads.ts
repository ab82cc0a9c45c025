import type { Attempt, DeliverySummary } from '@postrider/shared/domain/delivery';
import { deliveryIdOf, type EndpointId, timeOfId } from '@postrider/shared/domain/id';
import type { Collections, DeliveryDocument } from '@postrider/shared/mongo/collections';
import type { Database } from '@postrider/shared/mongo/connect';
import { countDeliveries } from '@postrider/shared/mongo/delivery-counts';
import {
  attemptFields,
  deliveryFields,
  embeddedAttempts,
  fromDeliveryDocument,
} from '@postrider/shared/mongo/documents';
import { unionOf } from '@postrider/shared/mongo/union';
import { ANSWER_WITHIN_MS } from '../domain/answer-within.js';
import type { DeliveriesFound, DeliveryReads } from '../ports/reads.js';
import { createBoundedRead, MAX_ROWS_READ } from './bounded-read.js';
import { deliveryQuery } from './delivery-query.js';
import { createDueRead } from './due-read.js';
import { createPagePayloads, PAGE_ROW_STAGES, type PageRow } from './page-payloads.js';
import { sharedLookup } from './shared-lookup.js';

const WITHOUT_RECORDS = { records: 0 } as const;
const NEWEST_FIRST = { _id: -1 } as const;
const NOTHING: DeliveriesFound = { deliveries: [], readTo: null };

interface DeliveryDatabase {
  readonly client: Database['client'];
  readonly collections: Pick<Collections, 'deliveries' | 'attempts' | 'endpoints'>;
}

export function createDeliveryReads(
  { client, collections: { deliveries, attempts, endpoints } }: DeliveryDatabase,
  maxRowsRead = MAX_ROWS_READ,
): DeliveryReads {
  const countIn = countDeliveries({ deliveries, endpoints }, { maxTimeMS: ANSWER_WITHIN_MS });
  const withPayloads = createPagePayloads({ deliveries });
  const findRow = sharedLookup(
    (ids) => deliveries.find({ _id: { $in: [...ids] } }, { projection: WITHOUT_RECORDS }).toArray(),
    ({ _id }) => _id,
  );
  /** By id, because the rows of a limited caller may be behind more rows of the event than are read. */
  const findDerived = (workspaceId: string, eventId: string, endpointIds: readonly string[]) => {
    const occurredAt = timeOfId('event', eventId);
    if (occurredAt === null) return null;
    const ids = endpointIds.map((id) => deliveryIdOf({ eventId, occurredAt }, id as EndpointId));
    return deliveries.findOne(
      { _id: { $in: ids }, workspaceId },
      { projection: WITHOUT_RECORDS, sort: { _id: 1 } },
    );
  };
  const list = { sort: NEWEST_FIRST, maxRowsRead };
  const read = createBoundedRead<DeliveryDocument, PageRow>({ client, collection: deliveries, ...list });
  const readDue = createDueRead<PageRow>({ deliveries, ...list });
  return {
    async find(workspaceId, id) {
      const found = await findRow(id);
      return found?.workspaceId === workspaceId ? fromDeliveryDocument(found) : null;
    },
    async findSeveral(workspaceId, ids) {
      const projection = { ...WITHOUT_RECORDS, payload: 0 } as const;
      const found = deliveries.find({ _id: { $in: [...ids] }, workspaceId }, { projection });
      return (await found.toArray()).map((row) => deliveryFields(row) as DeliverySummary);
    },
    async oldestOf(workspaceId, eventId, endpointIds) {
      const derived = endpointIds === null ? null : await findDerived(workspaceId, eventId, endpointIds);
      if (derived !== null) return fromDeliveryDocument(derived);
      const stages = [
        { $match: { 'payload.eventId': eventId } },
        { $sort: { _id: 1 } },
        { $limit: maxRowsRead },
        { $match: { workspaceId, ...(endpointIds !== null && { endpointId: { $in: [...endpointIds] } }) } },
        { $limit: 1 },
        { $project: WITHOUT_RECORDS },
      ];
      const [found] = await deliveries.aggregate<DeliveryDocument>(stages).toArray();
      return found === undefined ? null : fromDeliveryDocument(found);
    },
    async list(workspaceId, slice) {
      const query = deliveryQuery(workspaceId, slice);
      if (query === null) return NOTHING;
      const asked = { ...query, limit: slice.limit, stages: PAGE_ROW_STAGES };
      const { rows, bound } = (await readDue(asked)) ?? (await read(asked));
      // An endpoint belongs to one workspace. The caller must not see the rows of another one.
      if (rows.some((row) => row.workspaceId !== workspaceId)) return NOTHING;
      const page = await withPayloads(rows);
      // A cursor that names a row of another workspace would show that it got the event, and to how many endpoints.
      const readTo = bound?.workspaceId === workspaceId ? bound._id : null;
      return { deliveries: page.rows.map(fromDeliveryDocument), readTo: page.cutAt ?? readTo };
    },
    async newestReplays(ids) {
      const newest = await deliveries
        .aggregate<{ _id: string; newest: string }>([
          { $match: { replayedFrom: { $in: [...ids] } } },
          // In the order of the index, so that one key per delivery is read, however often it was replayed.
          { $sort: { replayedFrom: -1, _id: -1 } },
          { $group: { _id: '$replayedFrom', newest: { $first: '$_id' } } },
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
    async countHeld(periods, atMost) {
      if (periods.length === 0) return new Map();
      const pipelines = periods.map(({ endpointId, since }) => [
        { $match: { endpointId, heldSince: since } },
        { $limit: atMost },
        { $group: { _id: endpointId, count: { $sum: 1 } } },
      ]);
      // One union costs a fraction of what a command for each period would.
      const counts = await deliveries
        .aggregate<{ _id: string; count: number }>(unionOf(deliveries, pipelines))
        .toArray();
      return new Map(counts.map(({ _id, count }) => [_id, count]));
    },
    async countByStatus(workspaceId, since) {
      const countsOf = await countIn([workspaceId], since);
      return countsOf(workspaceId);
    },
  };
}
