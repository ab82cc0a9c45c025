import { QUEUE_MESSAGE_VERSION, type QueueMessage, queueMessageValue } from '../ports/queue.js';
import { parentSpanIdOf } from '../runtime/trace.js';
import { parseMessage } from './parse-message.js';
import { Undecodable } from './undecodable.js';

type Problem = { readonly problem: string };
type Fields = Readonly<Record<string, unknown>>;
/** The fields that every message has. */
type Common = Pick<QueueMessage, 'deliveryId' | 'endpointId' | 'workspaceId' | 'ordinal' | 'traceId'>;

export function encodeQueueMessage(message: QueueMessage): string {
  return JSON.stringify(queueMessageValue(message));
}

/**
 * @param traceparent the header of that name, if present
 * @returns the message, or why it is invalid
 */
export function decodeQueueMessage(value: Buffer | null, traceparent?: string): QueueMessage | Problem {
  if (value === null) return { problem: 'the value is empty' };
  const parsed = parse(value);
  if ('problem' in parsed) return parsed;
  const { fields } = parsed;
  const problem = problemOf(fields);
  return problem === null ? messageOf(fields, traceparent) : { problem };
}

function parse(value: Buffer): { readonly fields: Fields } | Problem {
  try {
    const fields = parseMessage(value.toString('utf8'));
    return isObject(fields) ? { fields } : { problem: 'the value is not an object' };
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    return { problem: error.message };
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

/** Why the fields are no message; null if they are one. */
function problemOf(fields: Fields): string | null {
  const { version, deliveryId, endpointId, workspaceId, ordinal, traceId } = fields;
  if (version !== QUEUE_MESSAGE_VERSION) return `version ${JSON.stringify(version)} is unknown`;
  if (typeof ordinal !== 'number' || !Number.isInteger(ordinal) || ordinal < 1)
    return 'ordinal is not a positive integer';
  for (const [name, id] of Object.entries({ deliveryId, endpointId, workspaceId, traceId })) {
    if (typeof id !== 'string' || id === '') return `${name} is missing`;
  }
  return Number.isNaN(dueAtOf(fields)?.getTime()) ? 'dueAt is not a time' : null;
}

/** The message of fields without a problem. */
function messageOf(fields: Fields, traceparent: string | undefined): QueueMessage {
  const { deliveryId, endpointId, workspaceId, ordinal, traceId } = fields as Fields & Common;
  const dueAt = dueAtOf(fields);
  const parentSpanId = traceparent === undefined ? null : parentSpanIdOf(traceparent);
  return {
    deliveryId,
    endpointId,
    workspaceId,
    ordinal,
    traceId,
    ...(fields.class === 'replay' && { class: fields.class }),
    ...(dueAt !== null && { dueAt }),
    ...(parentSpanId !== null && { parentSpanId }),
  };
}

/** Null without a due time, and invalid if the field is no time. */
function dueAtOf({ dueAt }: Fields): Date | null {
  if (dueAt === undefined) return null;
  return new Date(typeof dueAt === 'string' ? dueAt : Number.NaN);
}
