import { type Delivery, newDelivery } from '@postrider/shared/domain/delivery';
import { type Endpoint, wants } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import type { ReadEvent } from './read-event.js';

/** Event × endpoints that are owed it → rows. The same event always leads to the same rows. */
export function planDeliveries(
  events: readonly ReadEvent[],
  endpoints: readonly Endpoint[],
  now: Date,
): Delivery[] {
  const byWorkspace = Map.groupBy(endpoints, ({ workspaceId }) => workspaceId);
  return events.flatMap((event) => {
    const { type, payload, occurredAt, traceId } = event;
    const candidates = byWorkspace.get(payload.workspaceId) ?? [];
    return candidates
      .filter((endpoint) => wants(endpoint, { eventType: type, occurredAt }))
      .map((endpoint) =>
        newDelivery({
          id: deliveryIdOf({ eventId: payload.eventId, occurredAt }, endpoint.id),
          workspaceId: payload.workspaceId,
          endpointId: endpoint.id,
          eventType: type,
          payload,
          traceId,
          createdAt: occurredAt,
          dueAt: now,
        }),
      );
  });
}
