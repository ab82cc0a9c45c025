import type { StreamMessage } from '@postrider/client';
import type { ToForward } from './forward.js';

/**
 * The request to forward for a message of the stream: a new event, or a new delivery with its payload that is going to be sent;
 * null for any other.
 */
export function toForward(message: StreamMessage): ToForward | null {
  switch (message.type) {
    case 'event.published': {
      const { eventId, eventType, payload } = message.data;
      return { id: eventId, eventType, payload };
    }
    case 'delivery.created': {
      const { deliveryId, eventType, payload, status } = message.data;
      // The delivery of a disabled endpoint has ended.
      return status === 'pending' ? { id: deliveryId, eventType, payload } : null;
    }
    case 'delivery.attempted':
    case 'delivery.ended':
    case 'reset':
      return null;
  }
}
