import type { Delivery } from '../domain/delivery.js';
import type { Notification } from '../domain/notification.js';
import type { CustomEvent, DomainEvent } from '../events/domain-event.js';
import type { OutboxRecord } from '../ports/outbox.js';
import { firstMessage, queueMessageValue } from '../ports/queue.js';
import { DELIVERIES_TOPIC, EVENTS_TOPIC, NOTIFICATIONS_TOPIC } from '../ports/topics.js';
import { newSpanId, traceparentOf } from '../runtime/trace.js';

/**
 * A domain event for the event topic, with CloudEvents 1.0 binary headers.
 *
 * @param spanId the span that caused the event, if tracing is on
 */
export function eventRecord(
  event: DomainEvent | CustomEvent,
  traceId: string,
  spanId?: string,
): OutboxRecord {
  const { payload } = event;
  return {
    id: payload.eventId,
    topic: EVENTS_TOPIC,
    key: payload.workspaceId,
    subject: `${EVENTS_TOPIC}-${event.type}`,
    headers: cloudEventHeaders({
      id: payload.eventId,
      type: event.type,
      source: `/workspaces/${event.workspaceSlug}`,
      time: payload.occurredAt,
      traceId,
      spanId,
    }),
    value: payload,
  };
}

/** A notification for the notification topic. */
export function notificationRecord(notification: Notification, traceId: string): OutboxRecord {
  const type = `notification.${notification.kind}`;
  return {
    id: notification.id,
    topic: NOTIFICATIONS_TOPIC,
    key: notification.workspaceId,
    subject: `${NOTIFICATIONS_TOPIC}-${type}`,
    headers: cloudEventHeaders({
      id: notification.id,
      type,
      source: `/workspaces/${notification.workspaceId}`,
      time: notification.createdAt.toISOString(),
      traceId,
      spanId: undefined,
    }),
    value: { ...notification, createdAt: notification.createdAt.toISOString() },
  };
}

/**
 * The queue message of a delivery that an operator created: a replay or a test.
 *
 * @param spanId the span that caused it, if tracing is on
 */
export function deliveryRecord(delivery: Delivery, spanId?: string): OutboxRecord {
  return {
    id: delivery.id,
    topic: DELIVERIES_TOPIC,
    key: delivery.endpointId,
    subject: null,
    headers: spanId === undefined ? {} : { traceparent: traceparentOf(delivery.traceId, spanId) },
    value: queueMessageValue(firstMessage(delivery)),
  };
}

function cloudEventHeaders(facts: {
  id: string;
  type: string;
  source: string;
  time: string;
  traceId: string;
  spanId: string | undefined;
}) {
  return {
    ce_specversion: '1.0',
    ce_id: facts.id,
    ce_type: facts.type,
    ce_source: facts.source,
    ce_time: facts.time,
    'content-type': 'application/json',
    traceparent: traceparentOf(facts.traceId, facts.spanId ?? newSpanId()),
  };
}
