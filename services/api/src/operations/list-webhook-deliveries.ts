import type * as wire from '../contract/delivery.js';
import type { Page } from '../contract/page.js';
import { showDelivery } from '../views/delivery.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { endpointNotFound } from './find-live.js';
import { pageById } from './read-page.js';

/** The deliveries of an endpoint, newest first; those of a deleted one, too, until they expire. */
export function listWebhookDeliveries({ endpoints, deliveries }: Pick<Deps, 'endpoints' | 'deliveries'>) {
  return async (
    { workspace }: Call,
    { endpointId, ...filter }: wire.DeliveryFilter & { endpointId: string },
  ): Promise<Page<wire.Delivery>> => {
    const { status = null, eventType = null, createdAfter = null, createdBefore = null } = filter;
    const wanted = { status, eventType, createdAfter, createdBefore };
    const page = await pageById({
      list: `deliveries ${endpointId}`,
      request: filter,
      read: (slice) => deliveries.list(workspace.id, endpointId, { ...wanted, ...slice }),
      show: showDelivery,
    });
    // An endpoint that has deliveries is there, if only as a tombstone.
    const isKnown = page.items.length > 0 || (await endpoints.find(workspace.id, endpointId)) !== null;
    if (!isKnown) throw endpointNotFound();
    return page;
  };
}
