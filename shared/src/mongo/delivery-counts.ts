import type { Document } from 'mongodb';
import type { DeliveryStatus } from '../domain/delivery.js';
import { firstIdAt } from '../domain/id.js';
import { type Collections, STILL_DUE } from './collections.js';

type Counts = Readonly<Record<DeliveryStatus, number>>;

const FAILURES = ['failed', 'failed_permanent', 'dead_lettered'] as const satisfies readonly DeliveryStatus[];

/**
 * Counts a workspace's deliveries by status, endpoint by endpoint; deleted endpoints too, since their deliveries stay.
 * Those created from `from` (inclusive) to `to` (exclusive) count; without `to`, all since `from`.
 *
 * A busy day has a million rows, so it counts index keys: all of them, each failure by its partial index, and pending
 * ones among the few rows that are still due; delivered is what remains. All at one snapshot, so that it adds up.
 */
export function countDeliveries({ endpoints, deliveries }: Pick<Collections, 'endpoints' | 'deliveries'>) {
  return async (workspaceId: string, from: Date, to: Date | null = null): Promise<Counts> => {
    const owned = await endpoints.find({ workspaceId }, { projection: { _id: 1 } }).toArray();
    const span = { $gte: firstIdAt('delivery', from), ...(to && { $lt: firstIdAt('delivery', to) }) };
    const range = { endpointId: { $in: owned.map(({ _id }) => _id) }, _id: span };
    const parts = [
      ...FAILURES.map((status) => counting(status, { ...range, status })),
      counting('pending', { ...range, status: 'pending', ...STILL_DUE }),
    ];
    const rows = await deliveries
      .aggregate<{ what: string; count: number }>(
        [
          ...counting('all', range),
          ...parts.map((pipeline) => ({ $unionWith: { coll: deliveries.collectionName, pipeline } })),
        ],
        { readConcern: { level: 'snapshot' } },
      )
      .toArray();
    return byStatus(new Map(rows.map(({ what, count }) => [what, count])));
  };
}

function counting(what: string, filter: Document): Document[] {
  return [{ $match: filter }, { $count: 'count' }, { $set: { what } }];
}

function byStatus(counts: ReadonlyMap<string, number>): Counts {
  const of = (what: string) => counts.get(what) ?? 0;
  const undelivered = {
    pending: of('pending'),
    failed: of('failed'),
    failed_permanent: of('failed_permanent'),
  };
  const deadLettered = of('dead_lettered');
  const others = undelivered.pending + undelivered.failed + undelivered.failed_permanent + deadLettered;
  return { ...undelivered, dead_lettered: deadLettered, delivered: of('all') - others };
}
