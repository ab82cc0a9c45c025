import Type from 'typebox';
import { NOTIFICATION_KINDS, type NotificationKind } from '../domain/notification.js';

const common = {
  id: Type.String({ pattern: '^ntf_[a-z0-9]+$', description: 'The notification: de-duplicate on it' }),
  workspaceId: Type.String({ pattern: '^ws_[a-z0-9]+$', description: 'The workspace that receives it' }),
  message: Type.String({ description: 'A sentence for people' }),
  createdAt: Type.String({ format: 'date-time', description: 'RFC 3339, UTC, milliseconds' }),
};
const endpointId = Type.String({ pattern: '^whe_[a-z0-9]+$', description: 'The endpoint it is about' });

const notification = <Data extends Type.TProperties>(
  kind: NotificationKind,
  description: string,
  data: Data,
) =>
  Type.Object(
    {
      ...common,
      kind: Type.Enum([kind], { type: 'string' }),
      endpointId:
        kind === 'delivery_digest' ? Type.Null({ description: 'About the whole workspace' }) : endpointId,
      data: Type.Object(data, { additionalProperties: false }),
    },
    { additionalProperties: false, description },
  );

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** The only declaration of each notification on `workspace.notifications`. */
export const NOTIFICATION_PAYLOADS = {
  endpoint_failing: notification(
    'endpoint_failing',
    'The last attempts at an endpoint failed; further failures disable it. One for each streak.',
    {
      consecutiveFailures: count('Failures in a row'),
      failingSince: Type.String({ format: 'date-time', description: 'When the first of them ended' }),
    },
  ),
  endpoint_disabled: notification(
    'endpoint_disabled',
    'An endpoint was disabled after consecutive failures.',
    {
      consecutiveFailures: count('Failures in a row'),
    },
  ),
  endpoint_recovered: notification(
    'endpoint_recovered',
    'An endpoint that was disabled after failures answered a probe and was enabled again.',
    {
      disabledFor: count('Seconds for which it was disabled'),
      replayJobId: Type.String({
        pattern: '^rpl_[a-z0-9]+$',
        description: 'The replay job that sends what was held meanwhile',
      }),
    },
  ),
  endpoint_stopped_receiving: notification(
    'endpoint_stopped_receiving',
    'A delivery was given up: the endpoint stopped receiving. One for each endpoint and outage.',
    {
      deliveryId: Type.String({ pattern: '^whd_[a-z0-9]+$', description: 'The first delivery given up' }),
      failingSince: Type.String({ format: 'date-time', description: 'When the outage began' }),
    },
  ),
  delivery_digest: notification('delivery_digest', 'What became of the deliveries of one UTC day.', {
    day: Type.String({ format: 'date', description: 'The UTC day' }),
    pending: count('Deliveries still pending'),
    delivered: count('Deliveries delivered'),
    failed: count('Deliveries waiting for a retry'),
    failedPermanent: count('Deliveries refused for good'),
    deadLettered: count('Deliveries given up'),
    held: Type.Optional(count('Deliveries not sent because their endpoint was disabled')),
    endpointsDisabled: count('Endpoints disabled on that day'),
  }),
} as const satisfies Record<NotificationKind, Type.TSchema>;

/** The notification types, as in the subjects of the schema registry after the topic. */
export const NOTIFICATION_TYPES = NOTIFICATION_KINDS.map((kind) => `notification.${kind}` as const);
