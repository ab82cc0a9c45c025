import { DELIVERY_STATUSES, type DeliveryStatus } from '../domain/delivery.js';
import { firstIdAt } from '../domain/id.js';
import type { Collections } from './collections.js';

type Counts = Readonly<Record<DeliveryStatus, number>>;

/**
 * Counts a workspace's deliveries by status, endpoint by endpoint; deleted endpoints too, since their deliveries stay.
 * Those created from `from` (inclusive) to `to` (exclusive) count; without `to`, all since `from`.
 */
export function countDeliveries({ endpoints, deliveries }: Pick<Collections, 'endpoints' | 'deliveries'>) {
  return async (workspaceId: string, from: Date, to: Date | null = null): Promise<Counts> => {
    const owned = await endpoints.find({ workspaceId }, { projection: { _id: 1 } }).toArray();
    const span = { $gte: firstIdAt('delivery', from), ...(to && { $lt: firstIdAt('delivery', to) }) };
    const groups = await deliveries
      .aggregate<{ _id: DeliveryStatus; count: number }>([
        { $match: { endpointId: { $in: owned.map(({ _id }) => _id) }, _id: span } },
        { $group: { _id: '$status', count: { $sum: 1 } } },
      ])
      .toArray();
    const found = new Map(groups.map(({ _id, count }) => [_id, count]));
    const entries = DELIVERY_STATUSES.map((status) => [status, found.get(status) ?? 0] as const);
    return Object.fromEntries(entries) as Record<DeliveryStatus, number>;
  };
}
