import Type from 'typebox';
import { DELIVERY_STATUSES, FAILURE_REASONS } from '../domain/delivery.js';
import type { OutcomeKind } from '../domain/delivery-outcome.js';

const id = (prefix: string, description: string) =>
  Type.String({ pattern: `^${prefix}_[a-z0-9]+$`, description });
const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const FIELDS = {
  workspaceId: id('ws', 'The workspace of the delivery'),
  deliveryId: id('whd', 'The delivery'),
  endpointId: id('whe', 'The endpoint that receives it'),
  eventId: Type.String({ description: 'The event that it carries' }),
  eventType: Type.String({ description: 'The type of that event' }),
  status: Type.Enum([...DELIVERY_STATUSES], { type: 'string', description: 'Status after the change' }),
  attempts: Type.Integer({ minimum: 0, description: 'HTTP attempts so far' }),
  httpStatus: orNull(Type.Integer(), 'Status of the last HTTP response; null without one'),
  failureReason: orNull(
    Type.Enum([...FAILURE_REASONS], { type: 'string' }),
    'The reason for the status; null for a delivery that has not failed',
  ),
  durationMs: orNull(Type.Number({ minimum: 0 }), 'Duration of the last HTTP attempt; null without one'),
  at: Type.String({ format: 'date-time', description: 'When it happened, RFC 3339, UTC, milliseconds' }),
};

// Open for readers: a later version may add fields.
const outcome = (description: string) => Type.Object(FIELDS, { description });

/** The only declaration of each record on `webhook.outcomes`. */
export const OUTCOME_PAYLOADS = {
  'delivery.created': outcome('A delivery was stored. It is sent next, unless its endpoint is disabled.'),
  'delivery.attempted': outcome('An attempt of a delivery was stored.'),
  'delivery.ended': outcome(
    'A delivery was delivered, refused for good, given up, or not sent because its endpoint was disabled or deleted.',
  ),
} as const satisfies Record<OutcomeKind, Type.TSchema>;
