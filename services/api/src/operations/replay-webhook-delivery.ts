import { newDelivery } from '@postrider/shared/domain/delivery';
import { deliveryRecord } from '@postrider/shared/outbox/record';
import type * as wire from '../contract/delivery.js';
import { requireReplayable } from '../domain/require-replayable.js';
import { showDelivery } from '../views/delivery.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint, refuseDisabled } from './find-endpoint.js';
import { findDelivery } from './get-webhook-delivery.js';

/** Sends a failed delivery again, verbatim, as a new delivery. The original does not change. */
export function replayWebhookDelivery({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { deliveryId }: { deliveryId: string }): Promise<wire.Delivery> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const source = await findDelivery(tx.deliveries, call.workspace.id, deliveryId);
      refuseDisabled(await findLiveEndpoint(tx.endpoints, call.workspace.id, source.endpointId));
      requireReplayable(source);
      const { workspaceId, endpointId, eventType, payload } = source;
      const replay = newDelivery({
        id: newId('delivery', at),
        workspaceId,
        endpointId,
        eventType,
        payload,
        traceId: call.traceId,
        createdAt: at,
        dueAt: at,
        replayedFrom: source.id,
      });
      await tx.deliveries.insert(replay);
      const entry = auditEntry(call, newId, {
        action: 'webhook.delivery_replayed',
        target: { type: 'delivery', id: source.id },
        metadata: { replayDeliveryId: replay.id },
        at,
      });
      return { result: showDelivery(replay), audit: [entry], outbox: [deliveryRecord(replay, call.spanId)] };
    });
}
