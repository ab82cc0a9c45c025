// Prints every new message of a public topic: node consumer.ts (Node.js 24; npm install kafkajs)
import kafkajs from 'kafkajs';

const { KAFKA_BROKERS = '127.0.0.1:9092', TOPIC = 'workspace.events', GROUP = 'example-ts' } = process.env;
/** A zero byte and the schema's id; the rest is JSON. */
const HEADER_BYTES = 5;

/** In your own consumer: a unique key in the database, written in the same transaction as the effect. */
const seen = new Set<string>();

const kafka = new kafkajs.Kafka({
  clientId: 'example',
  brokers: KAFKA_BROKERS.split(','),
  logLevel: kafkajs.logLevel.ERROR,
});
const consumer = kafka.consumer({ groupId: GROUP });
await consumer.connect();
await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
await consumer.run({
  async eachMessage({ message: { headers, value } }) {
    if (value === null) return;
    const event = JSON.parse(value.subarray(HEADER_BYTES).toString());
    // Other services' events may have no ce_id, which would be the eventId.
    const id = headers?.ce_id?.toString() ?? event.eventId;
    if (seen.has(id)) return;
    process.stdout.write(`${headers?.ce_type} ${id} ${event.workspaceId}\n`);
    seen.add(id);
  },
});
