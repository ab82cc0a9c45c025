// Publishes an invoice.paid: node producer.ts (Node.js 24; npm install kafkajs @confluentinc/schemaregistry)
import { randomInt } from 'node:crypto';
import { JsonSerializer, SchemaRegistryClient, SerdeType } from '@confluentinc/schemaregistry';
import kafkajs from 'kafkajs';

const {
  KAFKA_BROKERS = '127.0.0.1:9092',
  SCHEMA_REGISTRY_URL = 'http://127.0.0.1:8081',
  TOPIC = 'workspace.events',
  WORKSPACE_ID = '',
} = process.env;
const TYPE = 'invoice.paid';
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';

/** Sortable by time: ten digits of milliseconds and sixteen random ones, of base 32. */
function newEventId(now: number): string {
  const time = Array.from({ length: 10 }, (_, n) => DIGITS[Math.floor(now / 32 ** (9 - n)) % 32]);
  const random = Array.from({ length: 16 }, () => DIGITS[randomInt(32)]);
  return `evt_${[...time, ...random].join('')}`;
}

const serializer = new JsonSerializer(
  new SchemaRegistryClient({ baseURLs: [SCHEMA_REGISTRY_URL] }),
  SerdeType.VALUE,
  {
    autoRegisterSchemas: false,
    useLatestVersion: true,
    validate: true,
    // Its validator knows no formats. Postrider checks them.
    validateFormats: false,
    subjectNameStrategy: (topic: string) => `${topic}-${TYPE}`,
  },
);
const now = new Date();
const event = {
  eventId: newEventId(now.getTime()),
  occurredAt: now.toISOString(),
  workspaceId: WORKSPACE_ID,
  invoiceId: 'in_4f9k2',
  customer: { id: 'cus_81' },
  amount: 4200,
  currency: 'EUR',
};
const value = await serializer.serialize(TOPIC, event);
// CloudEvents 1.0. Postrider needs ce_type; consumers of the topic use the others.
const headers = {
  ce_specversion: '1.0',
  ce_id: event.eventId,
  ce_type: TYPE,
  ce_source: `/workspaces/${WORKSPACE_ID}`,
  ce_time: event.occurredAt,
  'content-type': 'application/json',
};

const kafka = new kafkajs.Kafka({
  clientId: 'example',
  brokers: KAFKA_BROKERS.split(','),
  logLevel: kafkajs.logLevel.ERROR,
});
const producer = kafka.producer();
await producer.connect();
await producer.send({
  topic: TOPIC,
  acks: -1,
  messages: [{ key: WORKSPACE_ID, value, headers }],
});
await producer.disconnect();
process.stdout.write(`${event.eventId}\n`);
