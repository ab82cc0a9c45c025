import type { KafkaMessage } from 'kafkajs';
import type { Step } from '../fault.js';
import type { Random } from '../random.js';
import { atLeast } from './frequent.js';
import { QUEUES } from './kafka.js';

const READ = ['workspace.events', ...QUEUES];
/** The header of all messages that the fault sends. */
const MARK = 'fault';
const MIN_COPIES = 500;

interface Derived {
  readonly topic: string;
  readonly value: Buffer | string | null;
  readonly copies: number;
}

/** Reads all topics alongside the services, and sends derived messages for each message while a step runs. */
export const sendForEachMessage =
  (derive: (message: KafkaMessage, topic: string, random: Random) => Derived | null, during: Step): Step =>
  async (world) => {
    const full = (topic: string) => `${world.topicPrefix}${topic}`;
    const consumer = world.kafka.consumer({ groupId: full('fault'), maxWaitTimeInMs: 200 });
    const producer = world.kafka.producer({ allowAutoTopicCreation: false });
    let sent = 0;
    await producer.connect();
    await consumer.connect();
    await consumer.subscribe({ topics: READ.map(full), fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        const topic = batch.topic.slice(world.topicPrefix.length);
        for (const message of batch.messages) {
          if (message.headers?.[MARK] !== undefined) continue;
          // In whatever order the topics are read, the same message leads to the same result.
          const random = world.random.branch(READ.indexOf(topic), batch.partition, Number(message.offset));
          const derived = derive(message, topic, random);
          if (derived === null) continue;
          const { key, headers } = message;
          const copy = { key, value: derived.value, headers: { ...headers, [MARK]: '1' } };
          const messages = Array.from({ length: derived.copies }, () => copy);
          await producer.send({ topic: full(derived.topic), messages });
          sent += derived.copies;
        }
      },
    });
    await during(world);
    await consumer.disconnect();
    await producer.disconnect();
    world.log(`${sent} messages were sent`);
    atLeast(MIN_COPIES, sent, 'messages were sent');
  };
