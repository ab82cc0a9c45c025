import { type Attempt, bookkeeping, type DeliverySummary, isTerminal } from './delivery.js';
import { type EndpointStanding, originOf } from './endpoint.js';
import { derivedId } from './id.js';
import type { Notification } from './notification.js';
import { MAX_ATTEMPTS } from './retry-policy.js';

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
  endpoint: EndpointStanding | null,
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
        `after ${delivery.attempts} attempts. Replay it once the endpoint answers again.`,
      endpointId: delivery.endpointId,
      data: { deliveryId: delivery.id, failingSince: failingSince.toISOString() },
      createdAt: at,
    },
  };
}
