import { type Delivery, newDelivery } from '@postrider/shared/domain/delivery';
import { type Endpoint, newEndpoint } from '@postrider/shared/domain/endpoint';
import { derivedId } from '@postrider/shared/domain/id';
import { settle } from '@postrider/shared/domain/settle';
import type { QueueMessage } from '@postrider/shared/ports/queue';

/** When the outage of every delivery here began. */
export const OUTAGE = new Date('2026-03-01T12:00:00.000Z');
const STEP_MS = 30_000;

export function anEndpoint(name = 'orders'): Endpoint {
  const created = newEndpoint({
    id: derivedId('endpoint', OUTAGE, name),
    workspaceId: derivedId('workspace', OUTAGE, 'acme'),
    url: `https://hooks.example.com/${name}`,
    description: null,
    eventTypes: ['billing.plan_changed'],
    enabled: true,
    secret: { keyId: 'k1', nonce: '', box: '' },
    createdAt: OUTAGE,
  });
  return { ...created, consecutiveFailures: 9, streakVersion: 9, failingSince: OUTAGE };
}

/** A delivery after so many attempts that were all answered with 503: all seven unless told. */
export function anExhaustedDelivery({ name = 'first', of = 'orders', attempts = 7 } = {}): Delivery {
  const endpoint = anEndpoint(of);
  let delivery: Delivery = newDelivery({
    id: derivedId('delivery', OUTAGE, `${name} of ${of}`),
    workspaceId: endpoint.workspaceId,
    endpointId: endpoint.id,
    eventType: 'billing.plan_changed',
    payload: { plan: 'team' },
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
    createdAt: OUTAGE,
    dueAt: OUTAGE,
  });
  for (let ordinal = 1; ordinal <= attempts; ordinal += 1) {
    const observation = {
      kind: 'attempt',
      deliveryId: delivery.id,
      endpointId: endpoint.id,
      ordinal,
      outcome: { kind: 'answered', httpStatus: 503, responseBody: 'busy' },
      attemptedAt: OUTAGE,
      endedAt: OUTAGE,
      durationMs: 40,
      requestHeaders: null,
    } as const;
    const settled = settle({ delivery, endpoint }, observation, STEP_MS);
    if (settled !== null) delivery = { ...settled.delivery, payload: delivery.payload };
  }
  return delivery;
}

/** What the dead-letter queue says of a delivery. */
export function messageOf({ id, endpointId, workspaceId, traceId }: Delivery): QueueMessage {
  return { deliveryId: id, endpointId, workspaceId, ordinal: 7, traceId };
}
