import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createdOutcomes, OUTCOME_KINDS } from '@postrider/shared/domain/delivery-outcome';
import { EVENT_TYPES } from '@postrider/shared/domain/event-type';
import { asId } from '@postrider/shared/domain/id';
import { NOTIFICATION_KINDS } from '@postrider/shared/domain/notification';
import { domainEvent } from '@postrider/shared/events/domain-event';
import { createOutcomeEncoder } from '@postrider/shared/kafka/outcome-records';
import { eventRecord, notificationRecord } from '@postrider/shared/outbox/record';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';
import { aTerminalDelivery } from '@postrider/shared/testing/builders';
import { decodeRecords } from '@postrider/shared/testing/decode-records';
import { Ajv, type Options } from 'ajv';
import { default as addFormats } from 'ajv-formats';
import { expect } from 'chai';
import { type AsyncApiDocument, asyncApiDocument } from '../../src/document/asyncapi.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SCHEMA_IDS = { 'delivery.created': 1, 'delivery.attempted': 2, 'delivery.ended': 3 };
const AT = new Date('2026-03-01T12:00:00.000Z');
const document = asyncApiDocument({ version: '1.2.3', topicPrefix: 'eu.', custom: [] });

type Message = AsyncApiDocument['components']['messages'][string];

/** The official schema contains the meta-schema. */
const SELF_CONTAINED = { meta: false, validateSchema: false } as const;

function ajv(options: Options = {}): Ajv {
  const made = new Ajv({ strict: false, ...options });
  addFormats.default(made);
  return made;
}

function messageOf({ channels, components }: AsyncApiDocument, channel: string, type: string): Message {
  const { $ref } = channels[channel]!.messages[type]!;
  return components.messages[$ref.replace('#/components/messages/', '')]!;
}

function expectSent(
  record: Pick<OutboxRecord, 'headers' | 'value'> & { readonly key: unknown },
  [channel, type]: readonly [channel: string, type: string],
) {
  const message = messageOf(document, channel, type);
  const { key } = (message.bindings as { kafka: { key: object } }).kafka;
  for (const [schema, value] of [
    [message.headers, record.headers],
    [message.payload, record.value],
    [key, record.key],
  ] as const) {
    const check = ajv().compile(JSON.parse(JSON.stringify(schema)));
    check(value);
    expect(check.errors ?? []).to.deep.equal([]);
  }
  expect(Object.keys(record.headers).toSorted()).to.deep.equal(
    (message.headers.required as string[]).toSorted(),
  );
}

describe('AsyncAPI document', () => {
  it('is valid by the official AsyncAPI 3 schema', () => {
    const path = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json');
    const check = ajv(SELF_CONTAINED).compile(JSON.parse(readFileSync(path, 'utf8')));
    check(JSON.parse(JSON.stringify(document)));
    expect(check.errors ?? []).to.deep.equal([]);
  });

  it('contains the topics with their prefix', () => {
    const addresses = Object.values(document.channels).map(({ address }) => address);
    expect(addresses).to.deep.equal([
      'eu.workspace.events',
      'eu.workspace.notifications',
      'eu.webhook.outcomes',
    ]);
  });

  it('names the subjects with that prefix, as they are registered', () => {
    const { description } = messageOf(document, 'workspaceEvents', 'billing.plan_changed');
    expect(description).to.include('Subject: `eu.workspace.events-billing.plan_changed`.');
  });

  it('has one message for each event type, each kind of notification and each kind of outcome', () => {
    const { workspaceEvents, workspaceNotifications, webhookOutcomes } = document.channels;
    expect(Object.keys(workspaceEvents!.messages)).to.deep.equal(EVENT_TYPES);
    expect(Object.keys(workspaceNotifications!.messages)).to.deep.equal(
      NOTIFICATION_KINDS.map((kind) => `notification.${kind}`),
    );
    expect(Object.keys(webhookOutcomes!.messages)).to.deep.equal(OUTCOME_KINDS);
  });

  // Regression: the later one replaced the earlier one, in both channels.
  it('has a message for each of two types with the same name in different channels', () => {
    const names = ['delivery.created', 'notification.endpoint_disabled'];
    const payload = { type: 'object', description: 'Ours.' };
    const custom = names.map((name) => ({ name, description: '', deprecated: false, payload, examples: [] }));
    const withCustom = asyncApiDocument({ version: '1.2.3', topicPrefix: '', custom });
    for (const [channel, type] of [
      ['webhookOutcomes', 'delivery.created'],
      ['workspaceNotifications', 'notification.endpoint_disabled'],
    ] as const) {
      const ours = messageOf(withCustom, 'workspaceEvents', type);
      expect(ours).to.deep.include({ name: type, payload });
      expect(messageOf(withCustom, channel, type)).to.deep.include({
        name: type,
        payload: messageOf(document, channel, type).payload,
      });
    }
  });

  it('describes headers, key and value of an event as published', () => {
    const event = domainEvent({
      type: 'billing.plan_changed',
      id: 'evt_1',
      workspace: { id: 'ws_1', slug: 'acme' },
      occurredAt: AT,
      own: { previousPlan: 'free', plan: 'team' },
    });
    expectSent(eventRecord(event, TRACE), ['workspaceEvents', 'billing.plan_changed']);
  });

  it('describes headers, key and value of a notification as published', () => {
    const notification = {
      id: 'ntf_1',
      workspaceId: asId('workspace', 'ws_1'),
      kind: 'endpoint_disabled',
      message: 'It was disabled.',
      endpointId: asId('endpoint', 'whe_1'),
      data: { consecutiveFailures: 20 },
      createdAt: AT,
    } as const;
    expectSent(notificationRecord(notification, TRACE), [
      'workspaceNotifications',
      'notification.endpoint_disabled',
    ]);
  });

  it('describes headers, key and value of outcomes as published', async () => {
    const encode = createOutcomeEncoder(SCHEMA_IDS);
    for (const outcome of createdOutcomes([aTerminalDelivery('dead_lettered')], AT)) {
      const [record] = await decodeRecords(encode([outcome]));
      const { key, headers, value } = record!;
      const texts = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)]));
      const json = value.subarray(5).toString();
      expectSent({ key: String(key), headers: texts, value: JSON.parse(json) }, [
        'webhookOutcomes',
        outcome.kind,
      ]);
    }
  });
});
