import { EVENT_TYPES } from '@postrider/shared/domain/event-type';
import { poll } from '../processes/poll.js';
import type { ApiClient } from './api-client.js';
import { WORKSPACE } from './open-workspace.js';
import type { Attempt, Delivery, Endpoint, Overview, Page } from './resources.js';

/** Where the demo's webhooks go. */
export interface Target {
  readonly url: string;
  setSecret(secret: string): Promise<void>;
}

/** A delivery that has happened, as the api and the receiver tell it. */
export interface DeliveredOnce {
  readonly endpointId: string;
  readonly delivery: Delivery;
  readonly attempts: readonly Attempt[];
}

const DESCRIPTION = 'Demo receiver';
const BASE = `/workspaces/${WORKSPACE}`;
const TIMEOUT_MS = 30_000;

/**
 * Makes an endpoint whose secret the receiver knows, changes the plan and waits until the receiver has verified the webhook
 * about it. An endpoint kept from an earlier run is used again, at the receiver's new address.
 */
export async function deliverOnce(api: ApiClient, target: Target): Promise<DeliveredOnce> {
  const endpointId = await findEndpoint(api, target);
  const hook = `${BASE}/webhooks/${endpointId}`;
  const { secret } = await api.send<{ secret: string }>('POST', `${hook}/rotate-secret`);
  await target.setSecret(secret);
  // Only now: whatever was sent before would have failed its verification.
  await api.send('PATCH', hook, { url: `${target.url}/hook`, eventTypes: EVENT_TYPES, enabled: true });
  const before = await listPlanChanges(api, hook);
  const { plan } = await api.get<Overview>(`${BASE}/overview`);
  await api.send('PUT', `${BASE}/billing/plan`, { plan: chooseOtherPlan(plan) });
  const delivery = await untilDelivered(api, hook, new Set(before.map(({ deliveryId }) => deliveryId)));
  await untilVerified(target.url, delivery.deliveryId);
  const { items } = await api.get<Page<Attempt>>(
    `${BASE}/webhooks/deliveries/${delivery.deliveryId}/attempts`,
  );
  return { endpointId, delivery, attempts: items };
}

/** A change to the same plan would be no event. */
export function chooseOtherPlan(current: string): string {
  return current === 'team' ? 'business' : 'team';
}

async function findEndpoint(api: ApiClient, { url }: Target): Promise<string> {
  const { items } = await api.get<Page<Endpoint>>(`${BASE}/webhooks?limit=100`);
  const kept = items.find((endpoint) => endpoint.description === DESCRIPTION);
  if (kept !== undefined) return kept.id;
  const newEndpoint = {
    url: `${url}/hook`,
    eventTypes: EVENT_TYPES,
    description: DESCRIPTION,
    enabled: false,
  };
  return (await api.send<Endpoint>('POST', `${BASE}/webhooks`, newEndpoint)).id;
}

const EVENT_TYPE = 'billing.plan_changed';

async function listPlanChanges(api: ApiClient, hook: string): Promise<readonly Delivery[]> {
  return (await api.get<Page<Delivery>>(`${hook}/deliveries?eventType=${EVENT_TYPE}&limit=20`)).items;
}

async function untilDelivered(api: ApiClient, hook: string, before: ReadonlySet<string>): Promise<Delivery> {
  let status = 'not there';
  const look = async (): Promise<Delivery | undefined> => {
    const fresh = (await listPlanChanges(api, hook)).find(({ deliveryId }) => !before.has(deliveryId));
    status = fresh?.status ?? status;
    return status === 'delivered' ? fresh : undefined;
  };
  const what = `the delivery of ${EVENT_TYPE}`;
  return poll(look, { everyMs: 50, timeoutMs: TIMEOUT_MS, what }).catch((error: Error) => {
    throw new Error(`${error.message} (it is ${status})`, { cause: error });
  });
}

async function untilVerified(receiverUrl: string, deliveryId: string): Promise<void> {
  const look = async (): Promise<true | undefined> => {
    const answer = await fetch(`${receiverUrl}/deliveries`);
    const { items } = (await answer.json()) as Page<{ id: string; verified: boolean }>;
    return items.some(({ id, verified }) => id === deliveryId && verified) ? true : undefined;
  };
  await poll(look, { everyMs: 50, timeoutMs: TIMEOUT_MS, what: `the receiver verifying ${deliveryId}` });
}
