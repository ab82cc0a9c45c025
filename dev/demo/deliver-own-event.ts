import { type Client, type components, PostriderError } from '@postrider/client';
import { poll } from '../processes/poll.js';
import { POLLING, untilVerified } from './until-verified.js';

type Delivery = components['schemas']['Delivery'];
type EventTypeInfo = components['schemas']['EventTypeInfo'];

/** The demo's endpoint and its receiver. */
export interface Target {
  readonly endpointId: string;
  readonly receiverUrl: string;
}

/**
 * Subscribes to all types, publishes the example of the first custom type, and waits until the receiver has verified its
 * delivery.
 *
 * @returns undefined where there is no custom type, or older processes still run
 */
export async function deliverOwnEvent(
  client: Client,
  { endpointId, receiverUrl }: Target,
): Promise<Delivery | undefined> {
  const type = await firstCustomType(client);
  if (type === undefined) return undefined;
  try {
    await client.patch('/webhooks/{endpointId}', {
      params: { path: { endpointId } },
      body: { eventTypes: ['*'] },
    });
    const { eventId } = await client.post('/events', { body: { type: type.name, data: type.example } });
    const delivery = await untilDelivered(client, endpointId, eventId);
    await untilVerified(receiverUrl, delivery.deliveryId);
    return delivery;
  } catch (error) {
    if (error instanceof PostriderError && error.is('UpgradeInProgress')) return undefined;
    throw error;
  }
}

async function firstCustomType(client: Client): Promise<EventTypeInfo | undefined> {
  for await (const type of client.paginate('/event-types')) {
    if (!type.builtIn && !type.deprecated) return type;
  }
  return undefined;
}

function untilDelivered(client: Client, endpointId: string, eventId: string): Promise<Delivery> {
  const query = { endpointId, eventId };
  const probe = async () => {
    const { items } = await client.get('/webhooks/deliveries', { params: { query } });
    return items.find(({ status }) => status === 'delivered');
  };
  return poll(probe, { ...POLLING, what: `the delivery of ${eventId}` });
}
