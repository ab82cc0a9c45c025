import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { settle } from '@postrider/shared/domain/settle';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import {
  aDelivery,
  aFailingEndpoint,
  aMessage,
  anAttemptObservation,
  answered,
  idFor,
  later,
} from '@postrider/shared/testing/builders';

/** When the outage of every delivery here began. */
export const OUTAGE = later(-86_400_000);
const STEP_MS = 30_000;

export function anEndpoint(name = 'orders'): Endpoint {
  const id = idFor('endpoint', name, OUTAGE);
  const url = `https://hooks.example.com/${name}`;
  return aFailingEndpoint(9, { id, url, createdAt: OUTAGE, failingSince: OUTAGE });
}

/** A delivery after `attempts` that were all answered with 503, by default all seven. */
export function anExhaustedDelivery({ name = 'first', of = 'orders', attempts = 7 } = {}): Delivery {
  const endpoint = anEndpoint(of);
  const id = idFor('delivery', `${name} of ${of}`, OUTAGE);
  const ids = { id, workspaceId: endpoint.workspaceId, endpointId: endpoint.id };
  let delivery = aDelivery({ ...ids, createdAt: OUTAGE, dueAt: OUTAGE });
  for (let ordinal = 1; ordinal <= attempts; ordinal += 1) {
    const times = { attemptedAt: OUTAGE, endedAt: OUTAGE };
    const observed = { deliveryId: id, endpointId: endpoint.id, ordinal, outcome: answered(503, 'busy') };
    const settled = settle({ delivery, endpoint }, anAttemptObservation({ ...observed, ...times }), STEP_MS);
    if (settled !== null) delivery = { ...settled.delivery, payload: delivery.payload };
  }
  return delivery;
}

/** The message of a delivery in the dead-letter queue. */
export function messageOf({ id, endpointId, workspaceId, traceId }: Delivery): QueueMessage {
  return aMessage({ deliveryId: id, endpointId, workspaceId, ordinal: 7, traceId });
}
