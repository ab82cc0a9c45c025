import { type Delivery, newDelivery } from '@postrider/shared/domain/delivery';
import { receives, type Subscriber } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import type { ReadEvent } from './read-event.js';

/**
 * The row of an event for a subscriber, or null if the subscriber is not owed the event. The same event always yields the
 * same row.
 */
export function planDelivery(event: ReadEvent, endpoint: Subscriber, now: Date): Delivery | null {
  const { type: eventType, payload, occurredAt, traceId } = event;
  if (!receives(endpoint, { eventType, occurredAt })) return null;
  return newDelivery({
    id: deliveryIdOf({ eventId: payload.eventId, occurredAt }, endpoint.id),
    workspaceId: endpoint.workspaceId,
    endpointId: endpoint.id,
    eventType,
    payload,
    traceId,
    createdAt: occurredAt,
    dueAt: now,
  });
}
