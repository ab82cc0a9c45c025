import {
  type Delivery,
  type HeldDelivery,
  heldDelivery,
  newDelivery,
} from '@postrider/shared/domain/delivery';
import type { Holding, Subscriber } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import { owedOf } from '@postrider/shared/domain/owed';
import type { ReadEvent } from './read-event.js';

/** A delivery that is held, and what was held for its endpoint before. */
export interface PlannedHeld extends HeldDelivery {
  readonly holding: Holding | undefined;
}

/** The delivery of an event, a held one, or nothing. */
export type Planned =
  | { readonly kind: 'delivery'; readonly row: Delivery }
  | { readonly kind: 'held'; readonly held: PlannedHeld }
  | null;

/** Plans what a subscriber is owed of an event. The same event always yields a delivery with the same id. */
export function planDelivery(event: ReadEvent, endpoint: Subscriber, now: Date): Planned {
  const { type: eventType, payload, occurredAt, traceId } = event;
  const owed = owedOf(endpoint, { eventType, occurredAt });
  if (owed === null) return null;
  const facts = {
    id: deliveryIdOf({ eventId: payload.eventId, occurredAt }, endpoint.id),
    workspaceId: endpoint.workspaceId,
    endpointId: endpoint.id,
    eventType,
    payload,
    traceId,
    createdAt: occurredAt,
    dueAt: now,
  };
  if (owed.kind === 'delivery') return { kind: 'delivery', row: newDelivery(facts) };
  return { kind: 'held', held: { ...heldDelivery(facts, owed.since), holding: endpoint.holding } };
}
