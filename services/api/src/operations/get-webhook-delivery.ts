import type * as wire from '../contract/delivery.js';
import { showDelivery } from '../views/delivery.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { findDelivery } from './find-live.js';

export function getWebhookDelivery({ deliveries }: Pick<Deps, 'deliveries'>) {
  return async ({ workspace }: Call, { deliveryId }: { deliveryId: string }): Promise<wire.Delivery> =>
    showDelivery(await findDelivery(deliveries, workspace.id, deliveryId));
}
