import type * as wire from '../contract/delivery.js';
import type { Page } from '../contract/page.js';
import { showAttempt } from '../views/delivery.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { findDelivery } from './get-webhook-delivery.js';

/** Lists the attempts of a delivery by ordinal. There are at most eight records, so one page suffices. */
export function listWebhookDeliveryAttempts({ deliveries }: Pick<Deps, 'deliveries'>) {
  return async (
    { workspace }: Call,
    { deliveryId }: { deliveryId: string },
  ): Promise<Page<wire.DeliveryAttempt>> => {
    const [, attempts] = await Promise.all([
      findDelivery(deliveries, workspace.id, deliveryId),
      deliveries.attempts(workspace.id, deliveryId),
    ]);
    return { items: attempts.map(showAttempt), nextCursor: null };
  };
}
