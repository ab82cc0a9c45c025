import { type Attempt, bookkeeping, type DeliverySummary, isTerminal } from './delivery.js';
import { originOf, type SettledEndpoint } from './endpoint.js';
import { type DeliveryId, derivedId, type EndpointId } from './id.js';
import { lastFailureText } from './last-failure-text.js';
import type { Notification } from './notification.js';
import { MAX_ATTEMPTS } from './retry-policy.js';
import type { Stored } from './settle-all.js';

/** The writes of a dead letter: the terminal row, its attempt record and the one notification of the outage. */
export interface DeadLetterSettlement {
  readonly delivery: DeliverySummary;
  readonly attempt: Attempt;
  readonly notification: Notification;
}

const END = { status: 'dead_lettered', failureReason: 'retries_exhausted' } as const;

/**
 * Ends a delivery whose retries are exhausted. Counts no failure and changes no endpoint, so an operator's re-enable is
 * kept. The notification's id follows from the endpoint and its outage, so an outage is announced once, however many
 * of its deliveries are given up.
 *
 * @returns null if the row is missing, terminal or has attempts left
 */
export function deadLetter(
  delivery: DeliverySummary | null,
  endpoint: SettledEndpoint | null,
  at: Date,
): DeadLetterSettlement | null {
  if (delivery === null || isTerminal(delivery) || delivery.attempts < MAX_ATTEMPTS) return null;
  const failingSince = delivery.failingSince ?? delivery.createdAt;
  const where = endpoint ? `at ${originOf(endpoint.url)}` : delivery.endpointId;
  return {
    delivery: { ...delivery, ...END, nextAttemptAt: null, dueAt: null, failingSince },
    attempt: bookkeeping(delivery, END, at),
    notification: {
      id: derivedId('notification', failingSince, `stopped receiving ${delivery.endpointId}`),
      workspaceId: delivery.workspaceId,
      kind: 'endpoint_stopped_receiving',
      message:
        `The webhook endpoint ${where} stopped receiving: delivery ${delivery.id} was given up ` +
        `after ${delivery.attempts} attempts${lastFailureText(delivery.lastAttempt)}. Replay it once the endpoint answers again.`,
      endpointId: delivery.endpointId,
      data: { deliveryId: delivery.id, failingSince: failingSince.toISOString() },
      createdAt: at,
    },
  };
}

/** A delivery whose retries are exhausted. */
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
