import { DELIVERY_STATUSES, FAILURE_REASONS } from '../domain/delivery.js';
import type { OutcomeKind } from '../domain/delivery-outcome.js';
import { dateTime, id, type ObjectSchema, oneOf, openObject, orNull, text } from './schemas.js';

const FIELDS = {
  workspaceId: id('ws', 'The workspace of the delivery'),
  deliveryId: id('whd', 'The delivery'),
  endpointId: id('whe', 'The endpoint that receives it'),
  eventId: text('The event that it carries'),
  eventType: text('The type of that event'),
  status: oneOf(DELIVERY_STATUSES, 'Status after the change'),
  attempts: { type: 'integer', minimum: 0, description: 'HTTP attempts so far' },
  httpStatus: orNull({ type: 'integer' }, 'Status of the last HTTP response; null without one'),
  failureReason: orNull(
    oneOf(FAILURE_REASONS),
    'The reason for the status; null for a delivery that has not failed',
  ),
  durationMs: orNull({ type: 'number', minimum: 0 }, 'Duration of the last HTTP attempt; null without one'),
  at: dateTime('When it happened, RFC 3339, UTC, milliseconds'),
};

const outcome = (description: string) => openObject(FIELDS, { description });

/** The only declaration of each record on `webhook.outcomes`. */
export const OUTCOME_PAYLOADS = {
  'delivery.created': outcome('A delivery was stored. It is sent next, unless its endpoint is disabled.'),
  'delivery.attempted': outcome('An attempt of a delivery was stored.'),
  'delivery.ended': outcome(
    'A delivery was delivered, refused for good, given up, or not sent because its endpoint was disabled or deleted.',
  ),
} as const satisfies Record<OutcomeKind, ObjectSchema>;
