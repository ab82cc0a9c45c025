import type { Enqueue, Publish } from '../ports/queue.js';
import { encodeQueueMessage } from './queue-message.js';

/** Delivery messages, each routed by its endpoint. */
export function enqueue(publish: Publish): Enqueue {
  return (queued) =>
    publish(
      queued.map(({ topic, message }) => {
        return { topic, key: message.endpointId, value: encodeQueueMessage(message), headers: {} };
      }),
    );
}
