import { type Delivery, newDelivery } from '@postrider/shared/domain/delivery';
import { type Subscriber, wants } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import type { ReadEvent } from './read-event.js';

/**
 * Event × endpoints that are owed it → rows, one by one: a batch of events for many endpoints is more than should be in
 * memory at once. The same event always leads to the same rows.
 */
export function* planDeliveries(
  events: readonly ReadEvent[],
  endpoints: readonly Subscriber[],
  now: Date,
): Generator<Delivery> {
  const byWorkspace = Map.groupBy(endpoints, ({ workspaceId }) => workspaceId);
  for (const event of events) {
    const { type: eventType, occurredAt } = event;
    for (const endpoint of byWorkspace.get(event.payload.workspaceId) ?? []) {
      if (wants(endpoint, { eventType, occurredAt })) yield deliveryOf(event, endpoint, now);
    }
  }
}

function deliveryOf(
  { type, payload, occurredAt, traceId }: ReadEvent,
  endpoint: Subscriber,
  now: Date,
): Delivery {
  return newDelivery({
    id: deliveryIdOf({ eventId: payload.eventId, occurredAt }, endpoint.id),
    workspaceId: payload.workspaceId,
    endpointId: endpoint.id,
    eventType: type,
    payload,
    traceId,
    createdAt: occurredAt,
    dueAt: now,
  });
}
