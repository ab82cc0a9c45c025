import type { Document } from 'mongodb';
import type { DeliveryStatus } from '../domain/delivery.js';
import { firstIdAt } from '../domain/id.js';
import { type Collections, STILL_DUE } from './collections.js';

type Counts = Readonly<Record<DeliveryStatus, number>>;

const FAILURES = ['failed', 'failed_permanent', 'dead_lettered'] as const satisfies readonly DeliveryStatus[];

/**
 * Counts a workspace's deliveries by status, including those of deleted endpoints: deliveries created from `from`
 * (inclusive) to `to` (exclusive), or all since `from`.
 *
 * A busy day has a million rows, so it counts index keys: all of them, each failure status by its partial index, and
 * pending ones among the few due rows. The rest is delivered. One snapshot makes the counts consistent.
 */
export function countDeliveries({ endpoints, deliveries }: Pick<Collections, 'endpoints' | 'deliveries'>) {
  return async (workspaceId: string, from: Date, to: Date | null = null): Promise<Counts> => {
    const owned = await endpoints.find({ workspaceId }, { projection: { _id: 1 } }).toArray();
    const span = { $gte: firstIdAt('delivery', from), ...(to && { $lt: firstIdAt('delivery', to) }) };
    const range = { endpointId: { $in: owned.map(({ _id }) => _id) }, _id: span };
    const parts = [
      ...FAILURES.map((status) => countPipeline(status, { ...range, status })),
      countPipeline('pending', { ...range, status: 'pending', ...STILL_DUE }),
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
    return byStatus(new Map(rows.map(({ label, count }) => [label, count])));
  };
}

function countPipeline(label: string, filter: Document): Document[] {
  return [{ $match: filter }, { $count: 'count' }, { $set: { label } }];
}

function byStatus(counts: ReadonlyMap<string, number>): Counts {
  const of = (label: string) => counts.get(label) ?? 0;
  const undelivered = {
    pending: of('pending'),
    failed: of('failed'),
    failed_permanent: of('failed_permanent'),
  };
  const deadLettered = of('dead_lettered');
  const others = undelivered.pending + undelivered.failed + undelivered.failed_permanent + deadLettered;
  return { ...undelivered, dead_lettered: deadLettered, delivered: of('all') - others };
}
