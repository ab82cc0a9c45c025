import type { Filter } from 'mongodb';
import { asId } from '../domain/id.js';
import type { Backlog, DueRow } from '../ports/backlog.js';
import type { Collections, DeliveryDocument } from './collections.js';

/** Rows without a class go before the ones of replay jobs. */
const FRESH = { class: { $exists: false } } as const;
const OF_REPLAY_JOBS = { class: 'replay' } as const;
const isOfReplayJob = (row: DueRow) => row.class === 'replay';

/** Endpoints in one batch, which bounds memory and the time that the event loop is blocked. */
const OVERDUE_PAGE = 1_000;

export function createBacklog({
  deliveries,
  endpoints,
}: Pick<Collections, 'deliveries' | 'endpoints'>): Backlog {
  const dueRows = async (filter: Filter<DeliveryDocument>, limit: number): Promise<readonly DueRow[]> => {
    const rows = await deliveries
      .find(filter, { projection: { endpointId: 1, workspaceId: 1, traceId: 1, attempts: 1, class: 1 } })
      .sort({ dueAt: 1 })
      .limit(limit)
      .toArray();
    return rows.map(toDueRow);
  };
  return {
    /**
     * One query, unless there may be more fresh rows behind those of replay jobs. A replay job waits while 1,000 of its
     * replays to an endpoint were not sent, so the query for fresh rows passes few of them.
     */
    async due(endpointId, now, limit) {
      const due = { endpointId, dueAt: { $lte: now } };
      const oldest = await dueRows(due, limit);
      const replays = oldest.filter(isOfReplayJob);
      if (oldest.length < limit || replays.length === 0)
        return [...oldest.filter((row) => !isOfReplayJob(row)), ...replays];
      const fresh = await dueRows({ ...due, ...FRESH }, limit);
      if (fresh.length >= limit) return fresh;
      return [...fresh, ...(await dueRows({ ...due, ...OF_REPLAY_JOBS }, limit - fresh.length))];
    },
    /**
     * One index seek per endpoint with due work, however much it has: bounds on both fields of the index, of which only
     * the first is returned, let the database skip from endpoint to endpoint.
     */
    async *overdueEndpoints(before) {
      const groups = deliveries.aggregate<{ _id: string }>(
        [
          { $match: { endpointId: { $gte: '' }, dueAt: { $lte: before } } },
          { $group: { _id: '$endpointId' } },
        ],
        { hint: { endpointId: 1, dueAt: 1 }, batchSize: OVERDUE_PAGE },
      );
      for (let first = await groups.next(); first !== null; first = await groups.next())
        yield [first, ...groups.readBufferedDocuments()].map(({ _id }) => _id);
    },
    async workspacesOf(endpointIds) {
      const found = await endpoints
        .find({ _id: { $in: [...endpointIds] } }, { projection: { workspaceId: 1 } })
        .toArray();
      return new Map(found.map(({ _id, workspaceId }) => [_id, workspaceId]));
    },
  };
}

function toDueRow({ _id, endpointId, workspaceId, traceId, attempts, ...row }: DeliveryDocument): DueRow {
  return {
    deliveryId: asId('delivery', _id),
    endpointId: asId('endpoint', endpointId),
    workspaceId: asId('workspace', workspaceId),
    traceId,
    attempts,
    ...(row.class !== undefined && { class: row.class }),
  };
}
