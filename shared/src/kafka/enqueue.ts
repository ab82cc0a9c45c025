import type { Enqueue, OutgoingMessage, Publish, QueueMessage } from '../ports/queue.js';
import { traceparentOf } from '../runtime/trace.js';
import { encodeQueueMessage } from './queue-message.js';

/** Publishes delivery messages, keyed by endpoint. */
export function createEnqueue(publish: Publish): Enqueue {
  return (queued) =>
    publish(
      queued.map(({ topic, message }) => {
        return {
          topic,
          key: message.endpointId,
          value: encodeQueueMessage(message),
          headers: headersOf(message),
        };
      }),
    );
}

function headersOf({ traceId, parentSpanId }: QueueMessage): OutgoingMessage['headers'] {
  return parentSpanId === undefined ? {} : { traceparent: traceparentOf(traceId, parentSpanId) };
}
