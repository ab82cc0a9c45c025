import type { Delivery } from '@postrider/shared/domain/delivery';
import type * as wire from '../contract/delivery.js';
import { Refusal } from '../domain/refusal.js';
import type { DeliveryReads } from '../ports/reads.js';
import { showDelivery } from '../views/delivery.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';

export function getWebhookDelivery({ deliveries }: Pick<Deps, 'deliveries'>) {
  return async ({ workspace }: Call, { deliveryId }: { deliveryId: string }): Promise<wire.Delivery> => {
    const [delivery, replays] = await Promise.all([
      findDelivery(deliveries, workspace.id, deliveryId),
      deliveries.newestReplays([deliveryId]),
    ]);
    return showDelivery(delivery, replays.get(deliveryId));
  };
}

/** @throws Refusal `DeliveryNotFound`, also for a delivery that expired or belongs to another workspace */
export async function findDelivery(
  deliveries: Pick<DeliveryReads, 'find'>,
  workspaceId: string,
  id: string,
): Promise<Delivery> {
  const delivery = await deliveries.find(workspaceId, id);
  if (delivery === null) {
    throw new Refusal('DeliveryNotFound', 'This workspace has no such delivery, or its history has expired.');
  }
  return delivery;
}
