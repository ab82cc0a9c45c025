import type { Filter } from 'mongodb';
import { chunksOf } from '../domain/chunks.js';
import { asId } from '../domain/id.js';
import type { Backlog, DueRow } from '../ports/backlog.js';
import { coalesce } from '../runtime/coalesce.js';
import type { Collections, DeliveryDocument } from './collections.js';
import { unionOf } from './union.js';

/** Regular rows have no class. They go before the ones of replay jobs. */
const REGULAR = { class: { $exists: false } } as const;
const OF_REPLAY_JOBS = { class: 'replay' } as const;
const isOfReplayJob = (row: DueRow) => row.class === 'replay';

/** Maximum number of endpoints in one batch: bounds memory and the time for which the event loop is blocked. */
const OVERDUE_PAGE = 1_000;
/** Maximum number of endpoints in one command: the database refuses a pipeline of more than about 1,000 stages. */
const MAX_UNION = 16;

/** The rows of one endpoint that are due at a time. */
interface DueQuery {
  readonly endpointId: string;
  readonly now: Date;
  readonly limit: number;
}

export function createBacklog({
  deliveries,
  endpoints,
}: Pick<Collections, 'deliveries' | 'endpoints'>): Backlog {
  const dueRows = async (queries: readonly DueQuery[], only: Filter<DeliveryDocument> = {}) => {
    // All rows come in one batch.
    const batchSize = queries.reduce((sum, { limit }) => sum + limit, 1);
    const stages = unionOf(
      deliveries,
      queries.map((query) => dueStages(query, only)),
    );
    const rows = await deliveries.aggregate<DeliveryDocument>(stages, { batchSize }).toArray();
    return rows.map(toDueRow);
  };
  /**
   * A command costs many times as much as the rows of an endpoint, so queries that are begun while others are in progress
   * share the next commands.
   */
  const oldest = coalesce(async (queries: readonly DueQuery[]) => {
    const rows: DueRow[] = [];
    for (const some of chunksOf(oncePerEndpoint(queries), MAX_UNION)) rows.push(...(await dueRows(some)));
    return Map.groupBy(rows, ({ endpointId }): string => endpointId);
  });
  return {
    /**
     * One query, unless there may be more regular rows behind those of replay jobs. A replay job waits while 1,000 of its
     * replays to an endpoint were not sent, so the query for regular rows passes few of them.
     */
    async due(endpointId, now, limit) {
      const query = { endpointId, now, limit };
      const rows = ((await oldest(query)).get(endpointId) ?? []).slice(0, limit);
      const replays = rows.filter(isOfReplayJob);
      if (rows.length < limit || replays.length === 0)
        return [...rows.filter((row) => !isOfReplayJob(row)), ...replays];
      const regular = await dueRows([query], REGULAR);
      if (regular.length >= limit) return regular;
      return [...regular, ...(await dueRows([{ ...query, limit: limit - regular.length }], OF_REPLAY_JOBS))];
    },
    /**
     * One index seek per endpoint with due work, however much it has: bounds on both fields of the index, of which only
     * the first is returned, let the database skip from endpoint to endpoint.
     */
    async *overdueEndpoints(before, after = '') {
      const groups = deliveries.aggregate<{ _id: string }>(
        [
          { $match: { endpointId: { $gt: after }, dueAt: { $lte: before } } },
          { $group: { _id: '$endpointId' } },
        ],
        { hint: { endpointId: 1, dueAt: 1 }, batchSize: OVERDUE_PAGE },
      );
      try {
        for (let first = await groups.next(); first !== null; first = await groups.next())
          yield [first, ...groups.readBufferedDocuments()].map(({ _id }) => _id);
      } finally {
        await groups.close();
      }
    },
    async workspacesOf(endpointIds) {
      const found = await endpoints
        .find({ _id: { $in: [...endpointIds] } }, { projection: { workspaceId: 1 } })
        .toArray();
      return new Map(found.map(({ _id, workspaceId }) => [_id, workspaceId]));
    },
  };
}

/** Keeps the query with the highest limit for each endpoint: its result includes the others' rows. */
function oncePerEndpoint(queries: readonly DueQuery[]): DueQuery[] {
  const ascending = queries.toSorted((one, other) => one.limit - other.limit);
  return [...new Map(ascending.map((query) => [query.endpointId, query])).values()];
}

function dueStages({ endpointId, now, limit }: DueQuery, only: Filter<DeliveryDocument>) {
  return [
    { $match: { endpointId, dueAt: { $lte: now }, ...only } },
    { $sort: { dueAt: 1 } },
    { $limit: limit },
    { $project: { endpointId: 1, workspaceId: 1, traceId: 1, attempts: 1, class: 1 } },
  ];
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
