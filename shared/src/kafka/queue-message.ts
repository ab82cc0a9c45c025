import { QUEUE_MESSAGE_VERSION, type QueueMessage, queueMessageValue } from '../ports/queue.js';
import { parentSpanIdOf } from '../runtime/trace.js';

export function encodeQueueMessage(message: QueueMessage): string {
  return JSON.stringify(queueMessageValue(message));
}

/**
 * @param traceparent the header of that name, if present
 * @returns the message, or why it is invalid
 */
export function decodeQueueMessage(
  value: Buffer | null,
  traceparent?: string,
): QueueMessage | { readonly problem: string } {
  if (value === null) return { problem: 'the value is empty' };
  let parsed: unknown;
  try {
    parsed = JSON.parse(value.toString('utf8'));
  } catch {
    return { problem: 'the value is not JSON' };
  }
  if (typeof parsed !== 'object' || parsed === null) return { problem: 'the value is not an object' };
  const { version, deliveryId, endpointId, workspaceId, ordinal, traceId, dueAt } = parsed as Record<
    string,
    unknown
  >;
  if (version !== QUEUE_MESSAGE_VERSION) return { problem: `version ${JSON.stringify(version)} is unknown` };
  if (typeof ordinal !== 'number' || !Number.isInteger(ordinal) || ordinal < 1)
    return { problem: 'ordinal is not a positive integer' };
  for (const [name, id] of Object.entries({ deliveryId, endpointId, workspaceId, traceId })) {
    if (typeof id !== 'string' || id === '') return { problem: `${name} is missing` };
  }
  const due = dueAt === undefined ? null : new Date(`${dueAt}`);
  if (due !== null && Number.isNaN(due.getTime())) return { problem: 'dueAt is not a time' };
  const message = { deliveryId, endpointId, workspaceId, ordinal, traceId } as QueueMessage;
  const parentSpanId = traceparent === undefined ? null : parentSpanIdOf(traceparent);
  return {
    ...message,
    ...((parsed as { class?: unknown }).class === 'replay' && { class: 'replay' as const }),
    ...(due !== null && { dueAt: due }),
    ...(parentSpanId !== null && { parentSpanId }),
  };
}
