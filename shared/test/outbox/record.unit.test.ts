import { expect } from 'chai';
import { decodeQueueMessage } from '../../src/kafka/queue-message.js';
import { deliveryRecord, eventRecord, notificationRecord } from '../../src/outbox/record.js';
import { aDelivery, NOON, TRACE_ID, WORKSPACE_ID } from '../../src/testing/builders.js';
import { aNotification } from '../../src/testing/workspace-builders.js';
import { anEvent } from '../event-builders.js';

describe('outbox records', () => {
  it('of an event contain its payload and CloudEvents headers, keyed by workspace', () => {
    const event = anEvent('billing.plan_changed');
    const record = eventRecord(event, TRACE_ID);
    const { traceparent, ...headers } = record.headers;
    expect(record).to.deep.include({
      id: event.payload.eventId,
      topic: 'workspace.events',
      key: WORKSPACE_ID,
      subject: 'workspace.events-billing.plan_changed',
      value: event.payload,
    });
    expect(headers).to.deep.equal({
      ce_specversion: '1.0',
      ce_id: event.payload.eventId,
      ce_type: 'billing.plan_changed',
      ce_source: '/workspaces/acme',
      ce_time: NOON.toISOString(),
      'content-type': 'application/json',
    });
    expect(traceparent).to.match(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-01$`));
  });

  it('of a notification contain the notification and its workspace', () => {
    const notification = aNotification();
    const record = notificationRecord(notification, TRACE_ID);
    expect(record).to.deep.include({
      id: notification.id,
      topic: 'workspace.notifications',
      key: WORKSPACE_ID,
      subject: 'workspace.notifications-notification.endpoint_disabled',
      value: { ...notification, createdAt: NOON.toISOString() },
    });
    expect(record.headers).to.include({
      ce_id: notification.id,
      ce_type: 'notification.endpoint_disabled',
      ce_time: NOON.toISOString(),
    });
  });

  it('of a delivery are its first queue message, keyed by endpoint', () => {
    const delivery = aDelivery();
    const record = deliveryRecord(delivery);
    const { id: deliveryId, endpointId, workspaceId, traceId } = delivery;
    expect(record).to.deep.include({
      id: deliveryId,
      topic: 'webhook.deliveries',
      key: endpointId,
      subject: null,
    });
    const sent = Buffer.from(JSON.stringify(record.value));
    expect(decodeQueueMessage(sent)).to.deep.equal({
      deliveryId,
      endpointId,
      workspaceId,
      traceId,
      ordinal: 1,
    });
  });

  it('have an id that is derived from their cause', () => {
    const event = anEvent('api_token.revoked');
    expect(eventRecord(event, TRACE_ID).id).to.equal(eventRecord(event, 'f'.repeat(32)).id);
  });
});
