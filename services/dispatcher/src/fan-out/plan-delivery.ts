import {
  type Delivery,
  type HeldDelivery,
  heldDelivery,
  newDelivery,
} from '@postrider/shared/domain/delivery';
import type { Holding, Subscriber } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import { owedOf } from '@postrider/shared/domain/owed';
import type { MatchFilter } from './match-filters.js';
import type { ReadEvent } from './read-event.js';

const FILTERED = { kind: 'filtered' } as const;

/** A delivery that is held, and what was held for its endpoint before. */
export interface PlannedHeld extends HeldDelivery {
  readonly holding: Holding | undefined;
}

/** The delivery of an event, a held one, one that the endpoint's filter leaves out, or nothing. */
export type Planned =
  | { readonly kind: 'delivery'; readonly row: Delivery }
  | { readonly kind: 'held'; readonly held: PlannedHeld }
  | { readonly kind: 'filtered' }
  | null;

export interface Planning {
  readonly now: Date;
  readonly matches: MatchFilter;
}

/** Plans what a subscriber is owed of an event. The same event always yields a delivery with the same id. */
export function planDelivery(event: ReadEvent, endpoint: Subscriber, { now, matches }: Planning): Planned {
  const { type: eventType, payload, occurredAt, traceId } = event;
  const owed = owedOf(endpoint, { eventType, occurredAt });
  if (owed === null) return null;
  if (endpoint.filter && !matches(endpoint.filter, payload)) return FILTERED;
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
