import {
  type Delivery,
  type HeldDelivery,
  heldDelivery,
  newDelivery,
} from '@postrider/shared/domain/delivery';
import type { Holding } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import type { Compared } from '@postrider/shared/domain/match-filter';
import { owedToSubscriber } from '@postrider/shared/domain/owed';
import type { TypeSubscriber } from './index-subscribers.js';
import type { MatchFilter } from './match-filters.js';
import type { ReadEvent } from './read-event.js';

/** A held delivery, and the stored count of those held for its endpoint. */
export interface PlannedHeld extends HeldDelivery {
  readonly holding: Holding | undefined;
}

/** The delivery of an event, a held one, or one that the endpoint's filter leaves out. */
export type Planned = {
  /** The cost of comparing with the filter. */
  readonly checks: number;
} & (
  | { readonly kind: 'delivery'; readonly row: Delivery }
  | { readonly kind: 'held'; readonly held: PlannedHeld }
  | { readonly kind: 'filtered' }
);

const UNFILTERED: Compared = { matches: true, checks: 0 };

export interface Planning {
  /** When new deliveries are due. */
  readonly dueAt: Date;
  readonly matchFilter: MatchFilter;
}

/**
 * Plans the delivery that a subscriber is owed for an event. The same event always yields a delivery with the same id.
 *
 * @returns null if it is owed nothing
 */
export function planDelivery(
  event: ReadEvent,
  { endpoint, since }: TypeSubscriber,
  { dueAt, matchFilter }: Planning,
): Planned | null {
  const { type: eventType, payload, occurredAt, traceId } = event;
  const owed = owedToSubscriber(endpoint, { since, occurredAt });
  if (owed === null) return null;
  const { matches, checks } = endpoint.filter ? matchFilter(endpoint.filter, payload) : UNFILTERED;
  if (!matches) return { kind: 'filtered', checks };
  const facts = {
    id: deliveryIdOf({ eventId: payload.eventId, occurredAt }, endpoint.id),
    workspaceId: endpoint.workspaceId,
    endpointId: endpoint.id,
    eventType,
    payload,
    traceId,
    createdAt: occurredAt,
    dueAt,
  };
  if (owed.kind === 'delivery') return { kind: 'delivery', row: newDelivery(facts), checks };
  const held = { ...heldDelivery(facts, owed.since), holding: endpoint.holding };
  return { kind: 'held', held, checks };
}
