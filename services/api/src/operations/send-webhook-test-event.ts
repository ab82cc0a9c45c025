import { newDelivery } from '@postrider/shared/domain/delivery';
import { TEST_EVENT_TYPE } from '@postrider/shared/domain/event-type';
import type { TestEventPayload } from '@postrider/shared/events/event-payloads';
import { deliveryRecord } from '@postrider/shared/outbox/record';
import type * as wire from '../contract/delivery.js';
import { showDelivery } from '../views/delivery.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint, refuseDisabled } from './find-endpoint.js';

const MESSAGE = 'This is a test event. Your endpoint receives webhooks.';

/** Sends a `webhook.test_event` to one endpoint, without the event topic. */
export function sendWebhookTestEvent({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { endpointId }: { endpointId: string }): Promise<wire.Delivery> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const workspaceId = call.workspace.id;
      const endpoint = await findLiveEndpoint(tx.endpoints, workspaceId, endpointId);
      refuseDisabled(endpoint);
      const occurredAt = at.toISOString();
      const payload: TestEventPayload = {
        eventId: newId('event', at),
        occurredAt,
        workspaceId,
        endpointId,
        message: MESSAGE,
      };
      const delivery = newDelivery({
        id: newId('delivery', at),
        workspaceId,
        endpointId: endpoint.id,
        eventType: TEST_EVENT_TYPE,
        payload: { ...payload },
        traceId: call.traceId,
        createdAt: at,
        dueAt: at,
      });
      await tx.deliveries.insert(delivery);
      const entry = auditEntry(call, newId, {
        action: 'webhook.test_event_sent',
        target: { type: 'endpoint', id: endpointId },
        metadata: { deliveryId: delivery.id },
        at,
      });
      return {
        result: showDelivery(delivery),
        audit: [entry],
        outbox: [deliveryRecord(delivery, call.spanId)],
      };
    });
}
