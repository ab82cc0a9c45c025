import type { Document } from 'mongodb';
import { type DeliveryStatus, FAILURE_STATUSES } from '../domain/delivery.js';
import { firstIdAt, type WorkspaceId } from '../domain/id.js';
import type { StatusCounts } from '../ports/housekeeping.js';
import { BY_DELETION, type Collections, notDeletedBefore, STILL_DUE } from './collections.js';
import { unionOf } from './union.js';

/** Endpoints of one query for pending deliveries: a list of identifiers must stay far below the size limit of a query. */
const ENDPOINTS_AT_ONCE = 5_000;

/** A number of index keys of one workspace. */
interface CountRow {
  readonly _id: { readonly workspaceId: string; readonly label: DeliveryStatus | 'held' | 'all' };
  readonly count: number;
}

/**
 * Counts the deliveries of workspaces by status, including those of deleted endpoints: deliveries created from `from`
 * (inclusive) to `to` (exclusive), or all since `from`.
 *
 * A busy day has a million rows, so it counts index keys: all of them, the failures and held ones by their partial
 * indexes, and pending ones among the few due rows of the workspaces' endpoints. The rest is delivered. One snapshot
 * makes all but the pending counts consistent.
 */
export function countDeliveries({ endpoints, deliveries }: Pick<Collections, 'endpoints' | 'deliveries'>) {
  const countPending = async (workspaceId: Document, from: Date, _id: Document) => {
    const rows: CountRow[] = [];
    const count = async (endpointIds: readonly string[]) => {
      const pending = { endpointId: { $in: endpointIds }, _id, status: 'pending', ...STILL_DUE };
      rows.push(...(await deliveries.aggregate<CountRow>(countsOf(pending)).toArray()));
    };
    const found = endpoints.find(
      { workspaceId, ...notDeletedBefore(from) },
      { projection: { _id: 1 }, hint: BY_DELETION },
    );
    let page: string[] = [];
    for await (const endpoint of found) {
      page.push(endpoint._id);
      if (page.length < ENDPOINTS_AT_ONCE) continue;
      await count(page);
      page = [];
    }
    if (page.length > 0) await count(page);
    return rows;
  };
  return async (
    workspaceIds: readonly WorkspaceId[],
    from: Date,
    to: Date | null = null,
  ): Promise<(workspaceId: WorkspaceId) => StatusCounts> => {
    const _id = { $gte: firstIdAt('delivery', from), ...(to && { $lt: firstIdAt('delivery', to) }) };
    const workspaceId = { $in: [...workspaceIds] };
    const pending = await countPending(workspaceId, from, _id);
    const parts = [
      // Counting without a group takes half as long, and most rows are counted here.
      ...workspaceIds.map((id) => countAll(id, _id)),
      countsOf({ workspaceId, status: { $in: [...FAILURE_STATUSES] }, _id }),
      countsOf({ workspaceId, _id, heldSince: { $exists: true } }, { $literal: 'held' }),
    ];
    const rows = await deliveries
      .aggregate<CountRow>(unionOf(deliveries, parts), { readConcern: { level: 'snapshot' } })
      .toArray();
    const counts = Map.groupBy([...rows, ...pending], (row) => row._id.workspaceId);
    return (id) => byStatus(counts.get(id) ?? []);
  };
}

function countAll(workspaceId: WorkspaceId, _id: Document): Document[] {
  return [
    { $match: { workspaceId, _id } },
    { $count: 'count' },
    { $set: { _id: { workspaceId, label: 'all' } } },
  ];
}

function countsOf(filter: Document, label: unknown = '$status'): Document[] {
  return [
    { $match: filter },
    { $group: { _id: { workspaceId: '$workspaceId', label }, count: { $sum: 1 } } },
  ];
}

function byStatus(rows: readonly CountRow[]): StatusCounts {
  const counts = new Map<string, number>();
  for (const { _id, count } of rows) counts.set(_id.label, (counts.get(_id.label) ?? 0) + count);
  const of = (label: string) => counts.get(label) ?? 0;
  const undelivered = {
    pending: of('pending'),
    failed: of('failed'),
    failed_permanent: of('failed_permanent') - of('held'),
    held: of('held'),
  };
  const deadLettered = of('dead_lettered');
  const others = Object.values(undelivered).reduce((sum, count) => sum + count, deadLettered);
  return { ...undelivered, dead_lettered: deadLettered, delivered: Math.max(0, of('all') - others) };
}
