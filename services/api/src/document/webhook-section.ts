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
  header('webhook-id', 'The delivery. A retry carries the same one: de-duplicate on it.'),
  header(
    'webhook-timestamp',
    'When this attempt was signed, in Unix seconds. Refuse what is older than five minutes.',
  ),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`; during a rotation two of them.',
  ),
  header('x-trace-id', 'Quote it when asking for support.'),
];

/** What receivers get: one entry for each event type, from the declarations that the events themselves are made by. */
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
      '2XX': { description: 'Received. The delivery is done.' },
      '4XX': {
        description: 'Refused for good: not sent again. 408 and 429 are: like a 5XX they are retried.',
      },
      '5XX': { description: 'Not now: sent again up to six times, 30 to 180 seconds apart.' },
    },
  };
}
