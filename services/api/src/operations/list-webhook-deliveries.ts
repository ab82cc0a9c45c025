import type * as wire from '../contract/delivery.js';
import type { Page } from '../contract/page.js';
import { showDelivery } from '../views/delivery.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { refuseUnknownTypes } from './event-type-names.js';
import { endpointNotFound } from './find-endpoint.js';
import { pageById } from './read-page.js';

/** Lists deliveries, newest first. Deliveries of a deleted endpoint stay listed until they expire. */
export function listWebhookDeliveries({
  endpoints,
  deliveries,
  catalogue,
}: Pick<Deps, 'endpoints' | 'deliveries' | 'catalogue'>) {
  return async (
    { workspace }: Call,
    { endpointId, ...filter }: wire.DeliveryFilter & { endpointId: string },
  ): Promise<Page<wire.Delivery>> => {
    const { status = null, eventType = null, createdAfter = null, createdBefore = null } = filter;
    refuseUnknownTypes({ catalogue }, { eventType: filter.eventType });
    const criteria = { status, eventType, createdAfter, createdBefore };
    const page = await pageById({
      list: `deliveries ${endpointId}`,
      request: filter,
      read: (slice) => deliveries.list(workspace.id, endpointId, { ...criteria, ...slice }),
      show: showDelivery,
    });
    // An endpoint with deliveries exists, if only as a tombstone: no need to look it up.
    const exists = page.items.length > 0 || (await endpoints.find(workspace.id, endpointId)) !== null;
    if (!exists) throw endpointNotFound();
    return page;
  };
}
