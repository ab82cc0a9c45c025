import type { Document } from 'mongodb';
import { type DeliveryStatus, FAILURE_STATUSES } from '../domain/delivery.js';
import { firstIdAt, type WorkspaceId } from '../domain/id.js';
import type { StatusCounts } from '../ports/housekeeping.js';
import { ARE_HELD, type Collections } from './collections.js';
import { type CountLimits, createPendingCounts, type PendingCount } from './pending-counts.js';
import { unionOf } from './union.js';

const MAX_DUE_ROWS_READ = 100_000;
/** The limit for callers that wait is 10 s; counting index keys has to fit into it as well. */
const MAX_READ_MS = 3_000;
const MAX_DELETED_READ = 10_000;

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
 * indexes, and pending ones among the due rows of the workspaces' endpoints. The rest is delivered. One snapshot
 * makes all but the pending counts consistent.
 */
export function countDeliveries(
  { endpoints, deliveries }: Pick<Collections, 'endpoints' | 'deliveries'>,
  given: Partial<CountLimits> = {},
) {
  const limits = {
    maxDueRowsRead: MAX_DUE_ROWS_READ,
    maxReadMs: MAX_READ_MS,
    maxDeletedRead: MAX_DELETED_READ,
    ...given,
  };
  const countPending = createPendingCounts({ endpoints, deliveries, limits });
  return async (
    workspaceIds: readonly WorkspaceId[],
    from: Date,
    to: Date | null = null,
  ): Promise<(workspaceId: WorkspaceId) => StatusCounts> => {
    const _id = { $gte: firstIdAt('delivery', from), ...(to && { $lt: firstIdAt('delivery', to) }) };
    const pending = await countPending(workspaceIds, { from, to, _id });
    const workspaceId = { $in: [...workspaceIds] };
    const parts = [
      // Counting without a group takes half as long, and most rows are counted here.
      ...workspaceIds.map((id) => countAll(id, _id)),
      countsOf({ workspaceId, status: { $in: [...FAILURE_STATUSES] }, _id }),
      countsOf({ workspaceId, _id, ...ARE_HELD }, { $literal: 'held' }),
    ];
    const rows = await deliveries
      .aggregate<CountRow>(unionOf(deliveries, parts), {
        readConcern: { level: 'snapshot' },
        ...(limits.maxTimeMS !== undefined && { maxTimeMS: limits.maxTimeMS }),
      })
      .toArray();
    const counts = Map.groupBy(rows, (row) => row._id.workspaceId);
    return (id) => byStatus(counts.get(id) ?? [], pending.get(id) ?? { of: 'pending', count: 0 });
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

function byStatus(rows: readonly CountRow[], pending: PendingCount): StatusCounts {
  const counts = new Map(rows.map(({ _id, count }) => [_id.label, count]));
  const of = (label: CountRow['_id']['label']) => counts.get(label) ?? 0;
  const failures = {
    failed: of('failed'),
    failed_permanent: of('failed_permanent') - of('held'),
    dead_lettered: of('dead_lettered'),
    held: of('held'),
  };
  const others = Object.values(failures).reduce((rest, count) => rest - count, of('all'));
  const stillPending = pendingOf(pending, failures.failed, others);
  return { ...failures, pending: stillPending, delivered: Math.max(0, others - stillPending) };
}

/** @param others the deliveries that are pending or delivered */
function pendingOf({ of, count }: PendingCount, failed: number, others: number): number {
  return of === 'pending' ? count : Math.max(0, Math.min(count - failed, others));
}
