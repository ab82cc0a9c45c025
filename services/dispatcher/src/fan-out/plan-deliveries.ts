import { type Delivery, newDelivery } from '@postrider/shared/domain/delivery';
import { receives, type Subscriber } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import type { ReadEvent } from './read-event.js';

/**
 * Yields a row for each event and subscribed endpoint. A generator, because the rows of a batch of events for many
 * endpoints should not be in memory at once. The same event always yields the same rows.
 */
export function* planDeliveries(
  events: readonly ReadEvent[],
  endpoints: readonly Subscriber[],
  now: Date,
): Generator<Delivery> {
  const byWorkspace = Map.groupBy(endpoints, ({ workspaceId }): string => workspaceId);
  for (const event of events) {
    const { type: eventType, occurredAt } = event;
    for (const endpoint of byWorkspace.get(event.payload.workspaceId) ?? []) {
      if (receives(endpoint, { eventType, occurredAt })) yield deliveryOf(event, endpoint, now);
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
    workspaceId: endpoint.workspaceId,
    endpointId: endpoint.id,
    eventType: type,
    payload,
    traceId,
    createdAt: occurredAt,
    dueAt: now,
  });
}
