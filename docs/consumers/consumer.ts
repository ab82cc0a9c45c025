// Prints every new message of a public topic: node consumer.ts (Node.js 24; npm install kafkajs)
import kafkajs, { type KafkaMessage } from 'kafkajs';

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
  async eachMessage({ topic, partition, message }) {
    if (message.value === null) return;
    const event = read(message);
    if (event === null) {
      console.error(`not an event: ${topic}, partition ${partition}, offset ${message.offset}`);
      return;
    }
    const { type, id, workspaceId } = event;
    if (seen.has(id)) return;
    process.stdout.write(`${type} ${id} ${workspaceId}\n`);
    seen.add(id);
  },
});

/** Returns null for a malformed message. Without this, the consumer would stop there for good. */
function read({ headers, value }: KafkaMessage): { type: string; id: string; workspaceId: string } | null {
  try {
    const { eventId, workspaceId } = JSON.parse(`${value?.subarray(HEADER_BYTES)}`);
    const type = headers?.ce_type?.toString();
    // Other services' events may have no ce_id, which would be the eventId.
    const id = headers?.ce_id?.toString() ?? eventId;
    return type !== undefined && id !== undefined ? { type, id, workspaceId } : null;
  } catch {
    return null;
  }
}
