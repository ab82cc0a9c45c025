import { type Client, type components, createClient } from '@postrider/client';
import { EVENT_TYPES } from '@postrider/shared/domain/event-type';
import { poll } from '../processes/poll.js';
import { WORKSPACE } from '../start/run-admin.js';
import { deliverOwnEvent } from './deliver-own-event.js';
import { POLLING, untilVerified } from './until-verified.js';

type Delivery = components['schemas']['Delivery'];

/** A delivery with its attempts, as the api returns them. */
export interface DeliveredOnce {
  readonly endpointId: string;
  readonly delivery: Delivery;
  readonly attempts: readonly components['schemas']['DeliveryAttempt'][];
  /** The delivery of a custom event; absent where the catalogue is empty. */
  readonly own?: Delivery;
}

const DESCRIPTION = 'Demo receiver';
const EVENT_TYPE = 'billing.plan_changed';
const eventTypes = [...EVENT_TYPES];

/**
 * Creates an endpoint, passes its secret to the receiver, changes the plan and waits until the receiver has verified the
 * webhook for that. Then it does the same for an event of a custom type. An endpoint kept from an earlier run is reused with the
 * receiver's new address.
 */
export async function deliverOnce(
  baseUrl: string,
  token: string,
  receiverUrl: string,
): Promise<DeliveredOnce> {
  const client = createClient({ baseUrl, workspace: WORKSPACE, token });
  const endpointId = await findEndpoint(client, receiverUrl);
  const params = { path: { endpointId } };
  const key = await client.post('/webhooks/{endpointId}/rotate-secret', { params });
  if (!('secret' in key)) throw new Error('the demo receiver verifies with a secret, not with a public key');
  await sendSecret(receiverUrl, key.secret);
  // Only now: a webhook sent before would have failed its verification.
  const url = `${receiverUrl}/hook`;
  await client.patch('/webhooks/{endpointId}', { params, body: { url, eventTypes, enabled: true } });
  const newest = async () => {
    const query = { eventType: EVENT_TYPE, limit: 1 } as const;
    const page = await client.get('/webhooks/{endpointId}/deliveries', { params: { ...params, query } });
    return page.items[0];
  };
  const before = (await newest())?.deliveryId;
  const { plan } = await client.get('/overview');
  // A change to the same plan would cause no event.
  await client.put('/billing/plan', { body: { plan: plan === 'team' ? 'business' : 'team' } });
  const delivery = await untilDelivered(newest, before);
  const { deliveryId } = delivery;
  await untilVerified(receiverUrl, deliveryId);
  const path = { deliveryId };
  const { items } = await client.get('/webhooks/deliveries/{deliveryId}/attempts', { params: { path } });
  const own = await deliverOwnEvent(client, { endpointId, receiverUrl });
  return { endpointId, delivery, attempts: items, ...(own && { own }) };
}

/** Sets the secret with which the receiver verifies. @throws Error with the receiver's response when it rejects the secret */
async function sendSecret(url: string, secret: string): Promise<void> {
  const body = JSON.stringify({ secrets: [secret] });
  const answer = await fetch(`${url}/secrets`, { method: 'PUT', body });
  if (!answer.ok) throw new Error(`the receiver rejected the secret: ${await answer.text()}`);
}

async function findEndpoint(client: Client, receiverUrl: string): Promise<string> {
  for await (const { id, description } of client.paginate('/webhooks'))
    if (description === DESCRIPTION) return id;
  const url = `${receiverUrl}/hook`;
  // The other types follow when it is enabled: the event of the token may not be fanned out yet, and would be held.
  const body = { url, eventTypes: [EVENT_TYPE], description: DESCRIPTION, enabled: false };
  return (await client.post('/webhooks', { body })).id;
}

async function untilDelivered(
  newest: () => Promise<Delivery | undefined>,
  before?: string,
): Promise<Delivery> {
  let status: string = 'not there';
  const probe = async (): Promise<Delivery | undefined> => {
    const delivery = await newest();
    if (delivery === undefined || delivery.deliveryId === before) return undefined;
    ({ status } = delivery);
    return status === 'delivered' ? delivery : undefined;
  };
  return poll(probe, { ...POLLING, what: `the delivery of ${EVENT_TYPE}` }).catch((error: Error) => {
    throw new Error(`${error.message} (it is ${status})`, { cause: error });
  });
}
