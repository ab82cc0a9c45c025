import type { NotificationKind } from '../domain/notification.js';
import { closedObject, dateTime, id, type ObjectSchema, oneOf, type Properties, text } from './schemas.js';

const common = {
  id: id('ntf', 'The notification: de-duplicate on it'),
  workspaceId: id('ws', 'The workspace that receives it'),
  message: text('A sentence for people'),
  createdAt: dateTime('RFC 3339, UTC, milliseconds'),
};
const endpointId = id('whe', 'The endpoint it is about');
const noEndpoint = { type: 'null', description: 'About the whole workspace' };

const notification = (
  kind: NotificationKind,
  description: string,
  data: Properties,
  optional: readonly string[] = [],
) =>
  closedObject(
    {
      ...common,
      kind: oneOf([kind]),
      endpointId: kind === 'delivery_digest' ? noEndpoint : endpointId,
      data: closedObject(data, { optional }),
    },
    { description },
  );

const count = (description: string) => ({ type: 'integer', minimum: 0, description });

/** The only declaration of each notification on `workspace.notifications`. */
export const NOTIFICATION_PAYLOADS = {
  endpoint_failing: notification(
    'endpoint_failing',
    'The last attempts at an endpoint failed; further failures disable it. One for each streak.',
    {
      consecutiveFailures: count('Failures in a row'),
      failingSince: dateTime('When the first of them ended'),
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
      replayJobId: id('rpl', 'The replay job that sends what was held meanwhile'),
    },
  ),
  endpoint_stopped_receiving: notification(
    'endpoint_stopped_receiving',
    'A delivery was given up: the endpoint stopped receiving. One for each endpoint and outage.',
    {
      deliveryId: id('whd', 'The first delivery given up'),
      failingSince: dateTime('When the outage began'),
    },
  ),
  delivery_digest: notification(
    'delivery_digest',
    'What became of the deliveries of one UTC day.',
    {
      day: { type: 'string', format: 'date', description: 'The UTC day' },
      pending: count('Deliveries still pending'),
      delivered: count('Deliveries delivered'),
      failed: count('Deliveries waiting for a retry'),
      failedPermanent: count('Deliveries refused for good'),
      deadLettered: count('Deliveries given up'),
      held: count('Deliveries not sent because their endpoint was disabled'),
      endpointsDisabled: count('Endpoints disabled on that day'),
    },
    ['held'],
  ),
} as const satisfies Record<NotificationKind, ObjectSchema>;
