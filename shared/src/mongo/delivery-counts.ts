import type { Document } from 'mongodb';
import type { DeliveryStatus } from '../domain/delivery.js';
import { firstIdAt } from '../domain/id.js';
import type { StatusCounts } from '../ports/housekeeping.js';
import { type Collections, STILL_DUE } from './collections.js';

const FAILURES = ['failed', 'failed_permanent', 'dead_lettered'] as const satisfies readonly DeliveryStatus[];

/** Endpoints of one query for pending deliveries: a list of identifiers must stay far below the size limit of a query. */
const ENDPOINTS_AT_ONCE = 5_000;

/**
 * Counts a workspace's deliveries by status, including those of deleted endpoints: deliveries created from `from`
 * (inclusive) to `to` (exclusive), or all since `from`.
 *
 * A busy day has a million rows, so it counts index keys: all of them, each failure status by its partial index, and
 * pending ones among the few due rows of the workspace's endpoints. The rest is delivered. One snapshot makes all but
 * the pending counts consistent.
 */
export function countDeliveries({ endpoints, deliveries }: Pick<Collections, 'endpoints' | 'deliveries'>) {
  const countPending = async (workspaceId: string, span: Document): Promise<number> => {
    let pending = 0;
    for (let after = ''; ; ) {
      const page = await endpoints
        .find(
          { workspaceId, _id: { $gt: after } },
          { projection: { _id: 1 }, sort: { _id: 1 }, limit: ENDPOINTS_AT_ONCE },
        )
        .toArray();
      const endpointId = { $in: page.map(({ _id }) => _id) };
      pending += await deliveries.countDocuments({ endpointId, _id: span, status: 'pending', ...STILL_DUE });
      const last = page.at(-1);
      if (last === undefined || page.length < ENDPOINTS_AT_ONCE) return pending;
      after = last._id;
    }
  };
  return async (workspaceId: string, from: Date, to: Date | null = null): Promise<StatusCounts> => {
    const span = { $gte: firstIdAt('delivery', from), ...(to && { $lt: firstIdAt('delivery', to) }) };
    const pending = await countPending(workspaceId, span);
    const range = { workspaceId, _id: span };
    const parts = [
      ...FAILURES.map((status) => countPipeline(status, { ...range, status })),
      countPipeline('held', { ...range, heldSince: { $exists: true } }),
    ];
    const rows = await deliveries
      .aggregate<{ label: string; count: number }>(
        [
          ...countPipeline('all', range),
          ...parts.map((pipeline) => ({ $unionWith: { coll: deliveries.collectionName, pipeline } })),
        ],
        { readConcern: { level: 'snapshot' } },
      )
      .toArray();
    return byStatus(
      new Map([...rows.map(({ label, count }) => [label, count] as const), ['pending', pending]]),
    );
  };
}

function countPipeline(label: string, filter: Document): Document[] {
  return [{ $match: filter }, { $count: 'count' }, { $set: { label } }];
}

function byStatus(counts: ReadonlyMap<string, number>): StatusCounts {
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
