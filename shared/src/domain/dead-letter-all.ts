import { type DeadLetterSettlement, deadLetter } from './dead-letter.js';
import type { DeliverySummary } from './delivery.js';
import type { DeliveryId, EndpointId } from './id.js';
import type { Stored } from './settle-all.js';

/** A delivery that came to the end of its retries. */
export interface DeadLetter {
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
}

/**
 * Settles dead letters in order, each on the state that the previous ones leave: a second one for the same delivery
 * finds it ended. Pure, so it may run twice.
 *
 * @returns the settlement of each, in the order given, or null when there is nothing to write
 */
export function deadLetterAll(
  stored: Stored,
  letters: readonly DeadLetter[],
  at: Date,
): readonly (DeadLetterSettlement | null)[] {
  const ended = new Map<DeliveryId, DeliverySummary>();
  return letters.map(({ deliveryId, endpointId }) => {
    const delivery = ended.get(deliveryId) ?? stored.deliveries.get(deliveryId) ?? null;
    const settlement = deadLetter(delivery, stored.endpoints.get(endpointId) ?? null, at);
    if (settlement !== null) ended.set(deliveryId, settlement.delivery);
    return settlement;
  });
}
