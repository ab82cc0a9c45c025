import type { Delivery } from '@postrider/shared/domain/delivery';
import { firstMessage, type QueueMessage } from '@postrider/shared/ports/queue';
import type { OpenEvent } from './open-event.js';

/** The message of a delivery of an event. Its attempt's span is a child of the event's fan-out span. */
export function messageOf({ spanId }: Pick<OpenEvent, 'spanId'>, row: Delivery): QueueMessage {
  const message = firstMessage(row);
  return spanId === null ? message : { ...message, parentSpanId: spanId };
}
