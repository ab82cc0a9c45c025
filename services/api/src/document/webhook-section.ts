import { DELIVERED_PAYLOADS } from '@postrider/shared/events/event-payloads';
import type { Schema } from './openapi.js';

const header = (name: string, description: string, schema: Schema = { type: 'string' }) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const HEADERS = [
  header('webhook-id', 'The id of the delivery. Retries have the same one: de-duplicate on it.'),
  header(
    'webhook-timestamp',
    'When this attempt was signed, in Unix seconds. Reject requests that are older than five minutes.',
  ),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`; two of them during a rotation.',
  ),
  header('x-trace-id', 'Include it in support requests.'),
];

/** The requests that receivers get: one entry for each event type, from the declarations that produce the events. */
export function webhookSection(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(DELIVERED_PAYLOADS).map(([type, payload]) => [type, { post: received(type, payload) }]),
  );
}

function received(eventType: string, payload: object & { readonly description?: unknown }) {
  return {
    operationId: `receive_${eventType.replace('.', '_')}`,
    summary: payload.description,
    tags: ['Received by your endpoint'],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['deliveryId', 'eventType', 'payload'],
            properties: {
              deliveryId: {
                type: 'string',
                pattern: '^whd_[a-z0-9]+$',
                description: 'The same as `webhook-id`.',
              },
              eventType: { const: eventType },
              payload,
            },
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received. The delivery is complete.' },
      '4XX': {
        description: 'Rejected permanently: not retried, except 408 and 429, which are treated like a 5XX.',
      },
      '5XX': { description: 'Failed: retried up to six times, 30 to 180 seconds apart.' },
    },
  };
}
