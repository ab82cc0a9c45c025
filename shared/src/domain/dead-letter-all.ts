import { bury, type DeadLettering } from './dead-letter.js';
import type { DeliverySummary } from './delivery.js';
import type { Stored } from './settle-all.js';

/** A delivery that came to the end of its retries. */
export interface DeadLetter {
  readonly deliveryId: string;
  readonly endpointId: string;
}

/**
 * Buries dead letters one after the other, each on what the ones before it left: of two for one delivery the second
 * finds it ended. Pure: it may run twice.
 *
 * @returns for each of them, in the order given, its burial, or null when nothing is to be written for it
 */
export function deadLetterAll(
  stored: Stored,
  letters: readonly DeadLetter[],
  at: Date,
): readonly (DeadLettering | null)[] {
  const ended = new Map<string, DeliverySummary>();
  return letters.map(({ deliveryId, endpointId }) => {
    const delivery = ended.get(deliveryId) ?? stored.deliveries.get(deliveryId) ?? null;
    const burial = bury(delivery, stored.endpoints.get(endpointId) ?? null, at);
    if (burial !== null) ended.set(deliveryId, burial.delivery);
    return burial;
  });
}
