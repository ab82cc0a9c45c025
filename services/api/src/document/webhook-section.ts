import { DELIVERED_PAYLOADS } from '@postrider/shared/events/event-payloads';
import type { DocumentedType } from './custom-types.js';
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
    'Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, separated by spaces: `v1,` and the base64 of HMAC-SHA256, or with ' +
      '`signing: ed25519` `v1a,` and the base64 of Ed25519. For 24 hours after a rotation or a change of `signing` there is one of ' +
      'the former key, too: accept a request with one valid signature.',
  ),
  header('x-trace-id', 'Include it in support requests.'),
];

/** The requests that receivers get: one entry for each event type, from the declarations that produce the events. */
export function webhookSection(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(DELIVERED_PAYLOADS).map(([type, payload]) => [
      type,
      { post: { ...received(type, payload), 'x-built-in': true } },
    ]),
  );
}

/** The request of an event of a custom type, with an example. */
export function receivedCustom({ name, payload, deprecated, description, examples }: DocumentedType) {
  const post = received(name, { ...payload, description });
  const { schema } = post.requestBody.content['application/json'];
  const example = {
    deliveryId: 'whd_01krzmb7g0q5w9n2x4c8v1j6th',
    eventType: name,
    payload: examples[0],
  };
  return {
    post: {
      ...post,
      // Names have no hyphens, so two of them cannot give the same id.
      operationId: `receive_${name.replaceAll('.', '-')}`,
      ...(deprecated && { deprecated }),
      requestBody: { required: true, content: { 'application/json': { schema, example } } },
    },
  };
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
