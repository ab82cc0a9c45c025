import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint, EndpointSecrets } from '@postrider/shared/domain/endpoint';
import { Refusal } from '@postrider/shared/domain/refusal';

/** An endpoint that is there to be changed. */
export type LiveEndpoint = Endpoint & { readonly secrets: EndpointSecrets; readonly deletedAt: null };

interface Finder<T> {
  find(workspaceId: string, id: string): Promise<T | null>;
}

/** @throws Refusal `EndpointNotFound` for an endpoint that never was, was deleted or is another workspace's */
export async function findLiveEndpoint(
  endpoints: Finder<Endpoint>,
  workspaceId: string,
  id: string,
): Promise<LiveEndpoint> {
  const endpoint = await endpoints.find(workspaceId, id);
  if (endpoint === null || !isLive(endpoint)) throw endpointNotFound();
  return endpoint;
}

/** @throws Refusal `DeliveryNotFound`, also for a delivery of another workspace or one that has expired */
export async function findDelivery(
  deliveries: Finder<Delivery>,
  workspaceId: string,
  id: string,
): Promise<Delivery> {
  const delivery = await deliveries.find(workspaceId, id);
  if (delivery === null) {
    throw new Refusal('DeliveryNotFound', 'This workspace has no such delivery, or its history has expired.');
  }
  return delivery;
}

export function endpointNotFound(): Refusal {
  return new Refusal('EndpointNotFound', 'This workspace has no such webhook endpoint.');
}

/** @throws Refusal `EndpointDisabled`: neither replays nor tests reach a disabled endpoint */
export function refuseDisabled(endpoint: Endpoint): void {
  if (endpoint.enabled) return;
  throw new Refusal(
    'EndpointDisabled',
    'The endpoint is disabled. Enable it first: PATCH it with {"enabled": true}.',
  );
}

function isLive(endpoint: Endpoint): endpoint is LiveEndpoint {
  return endpoint.deletedAt === null && endpoint.secrets !== null;
}
