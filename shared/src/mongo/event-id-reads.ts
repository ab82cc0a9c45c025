import { eventIdOf } from '../domain/delivery-outcome.js';
import { asId, type DeliveryId } from '../domain/id.js';
import type { Collections } from './collections.js';

/** Reads the events of deliveries, by delivery id. */
export function createEventIdReads({ deliveries }: Pick<Collections, 'deliveries'>) {
  return async (deliveryIds: readonly DeliveryId[]): Promise<ReadonlyMap<DeliveryId, string>> => {
    const rows = await deliveries
      .find({ _id: { $in: [...deliveryIds] } }, { projection: { 'payload.eventId': 1 } })
      .toArray();
    return new Map(rows.map((row) => [asId('delivery', row._id), eventIdOf(row)]));
  };
}
