import { OUTCOME_KINDS } from '@postrider/shared/domain/delivery-outcome';
import { EVENT_TYPES } from '@postrider/shared/domain/event-type';
import { NOTIFICATION_KINDS } from '@postrider/shared/domain/notification';
import { EVENT_PAYLOADS } from '@postrider/shared/events/event-payloads';
import { NOTIFICATION_PAYLOADS } from '@postrider/shared/events/notification-payloads';
import { OUTCOME_PAYLOADS } from '@postrider/shared/events/outcome-payloads';
import { EVENTS_TOPIC, NOTIFICATIONS_TOPIC, OUTCOMES_TOPIC } from '@postrider/shared/ports/topics';
import type { DocumentedType } from './custom-types.js';
import type { Schema } from './openapi.js';

/** The published description of the public topics, AsyncAPI 3. */
export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly defaultContentType: string;
  readonly channels: Readonly<Record<string, Channel>>;
  readonly operations: Readonly<Record<string, object>>;
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
}

interface Channel {
  readonly address: string;
  readonly messages: Readonly<Record<string, { readonly $ref: string }>>;
  readonly [more: string]: unknown;
}

interface Message {
  readonly headers: Schema;
  readonly payload: object;
  readonly [more: string]: unknown;
}

type Payload = object & { readonly description?: unknown };

/** One public topic. Its messages are described by the declarations that produce them. */
interface Topic {
  readonly channel: string;
  readonly topic: string;
  readonly description: string;
  readonly key: object;
  /** The pattern and the meaning of `ce_id`, and the field with the time of a message. */
  readonly id: { readonly pattern: string; readonly description: string; readonly timeField: string };
  readonly payloads: readonly (readonly [type: string, payload: Payload])[];
  /** The examples of each custom type. Other services may produce these types, too, with the header `ce_type` alone. */
  readonly custom?: ReadonlyMap<string, readonly object[]>;
}

const PROMISE =
  'Every message comes at least once and in no promised order: de-duplicate on `ce_id`, order by `ce_time`.';

const OTHER_PRODUCERS =
  'Where a custom type has no such header, use `eventId` and `occurredAt` of the value.';

const BEST_EFFORT =
  'A message may be missing or come twice: the lists of deliveries are the authority. Messages are kept for an hour.';

const BY_WORKSPACE = { type: 'string', pattern: '^ws_[a-z0-9]+$', description: 'The workspace.' };
const BY_ENDPOINT = { type: 'string', pattern: '^whe_[a-z0-9]+$', description: 'The endpoint.' };

const topicsWith = (custom: readonly DocumentedType[]): readonly Topic[] => [
  {
    channel: 'workspaceEvents',
    topic: EVENTS_TOPIC,
    description: `Events of the workspaces, with the same payloads as the webhooks. ${PROMISE} ${OTHER_PRODUCERS}`,
    key: BY_WORKSPACE,
    id: { pattern: '^evt_[a-z0-9]+$', description: 'The same as `eventId`.', timeField: 'occurredAt' },
    payloads: [
      ...EVENT_TYPES.map((type) => [type, EVENT_PAYLOADS[type]] as const),
      ...custom.map(({ name, payload }) => [name, payload] as const),
    ],
    custom: new Map(custom.map(({ name, examples }) => [name, examples])),
  },
  {
    channel: 'workspaceNotifications',
    topic: NOTIFICATIONS_TOPIC,
    description: `Notifications to workspaces about their endpoints. ${PROMISE}`,
    key: BY_WORKSPACE,
    id: { pattern: '^ntf_[a-z0-9]+$', description: 'The same as `id`.', timeField: 'createdAt' },
    payloads: NOTIFICATION_KINDS.map(
      (kind) => [`notification.${kind}`, NOTIFICATION_PAYLOADS[kind]] as const,
    ),
  },
  {
    channel: 'webhookOutcomes',
    topic: OUTCOMES_TOPIC,
    description: `What happens to deliveries. ${BEST_EFFORT}`,
    key: BY_ENDPOINT,
    id: {
      pattern: '^whd_[a-z0-9]+\\.(created|ended|[0-9]+)$',
      description: 'The delivery, and what happened: `created`, the number of the attempt, or `ended`.',
      timeField: 'at',
    },
    payloads: OUTCOME_KINDS.map((kind) => [kind, OUTCOME_PAYLOADS[kind]] as const),
  },
];

/** @param topicPrefix the prefix of every topic name of this installation */
export function asyncApiDocument(facts: {
  version: string;
  topicPrefix: string;
  custom: readonly DocumentedType[];
}): AsyncApiDocument {
  const topics = topicsWith(facts.custom);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Postrider: public topics',
      version: facts.version,
      description: 'The topics that Postrider publishes to Kafka for platform teams.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      topics.map((topic) => [topic.channel, channelOf(topic, `${facts.topicPrefix}${topic.topic}`)]),
    ),
    operations: Object.fromEntries(
      topics.map(({ channel, description }) => [
        `send.${channel}`,
        { action: 'send', channel: { $ref: `#/channels/${channel}` }, summary: description },
      ]),
    ),
    components: {
      messages: Object.fromEntries(topics.flatMap((topic) => messagesOf(topic, facts.topicPrefix))),
    },
  };
}

/** The name of a message among those of all channels: a custom type may have the name of a notification or an outcome. */
const componentOf = (channel: string, type: string) => `${channel}.${type}`;

function channelOf({ channel, topic, description, payloads }: Topic, address: string): Channel {
  return {
    address,
    title: topic,
    description,
    messages: Object.fromEntries(
      payloads.map(([type]) => [type, { $ref: `#/components/messages/${componentOf(channel, type)}` }]),
    ),
    bindings: { kafka: { topic: address, bindingVersion: '0.5.0' } },
  };
}

function messagesOf(
  { channel, topic, key, id, payloads, custom }: Topic,
  topicPrefix: string,
): (readonly [string, Message])[] {
  return payloads.map(([type, payload]) => [
    componentOf(channel, type),
    {
      name: type,
      title: type,
      summary: String(payload.description),
      contentType: 'application/json',
      description: `The value is a zero byte, the schema's id (32 bits, big-endian) and JSON. Subject: \`${topicPrefix}${topic}-${type}\`.`,
      headers: { ...headersOf(type, id), ...(custom?.has(type) && { required: ['ce_type'] }) },
      payload,
      ...(custom?.has(type) && { examples: custom.get(type)?.map((payload) => ({ payload })) }),
      bindings: { kafka: { key, ...VALUE_BINDING } },
    },
  ]);
}

const VALUE_BINDING = {
  schemaIdLocation: 'payload',
  schemaIdPayloadEncoding: 'confluent',
  bindingVersion: '0.5.0',
};

/** CloudEvents 1.0 in Kafka's binary mode. */
function headersOf(type: string, { pattern, description, timeField }: Topic['id']): Schema {
  const properties = {
    ce_specversion: { type: 'string', const: '1.0' },
    ce_id: { type: 'string', pattern, description },
    ce_type: { type: 'string', const: type },
    ce_source: { type: 'string', pattern: '^/workspaces/', description: 'The workspace of the event.' },
    ce_time: { type: 'string', format: 'date-time', description: `The same as \`${timeField}\`.` },
    'content-type': { type: 'string', const: 'application/json' },
    traceparent: { type: 'string', description: 'W3C trace context of the request that caused it.' },
  };
  return { type: 'object', required: Object.keys(properties), properties };
}
