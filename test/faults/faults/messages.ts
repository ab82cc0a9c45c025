import { setTimeout as wait } from 'node:timers/promises';
import type { EachBatchPayload, KafkaMessage, Producer } from 'kafkajs';
import type { Fault } from '../fault.js';
import type { World } from '../world/world.js';
import { poison } from './poison.js';

const TIERS = [1, 2, 3, 4, 5, 6].map((tier) => `webhook.deliveries.retry.${tier}`);
const READ = ['workspace.events', 'webhook.deliveries', ...TIERS, 'webhook.deliveries.dlq'];
const FOR_MS = 30_000;
const MARK = 'fault';

type Echo = (message: KafkaMessage, topic: string, producer: Producer) => Promise<void>;

/** Reads all topics along with the services, and does something for each message that is not of our own making. */
async function echo(world: World, each: Echo): Promise<void> {
  const full = (topic: string) => `${world.topicPrefix}${topic}`;
  const consumer = world.kafka.consumer({ groupId: full('echo'), maxWaitTimeInMs: 200 });
  const producer = world.kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  await consumer.connect();
  await consumer.subscribe({ topics: READ.map(full), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }: EachBatchPayload) => {
      for (const message of batch.messages)
        if (message.headers?.[MARK] === undefined)
          await each(message, batch.topic.slice(world.topicPrefix.length), producer);
    },
  });
  await wait(FOR_MS);
  await consumer.disconnect();
  await producer.disconnect();
}

const marked = ({ key, headers }: KafkaMessage, value: Buffer | string | null) => ({
  key,
  value,
  headers: { ...headers, [MARK]: '1' },
});

export const MESSAGES: readonly Fault[] = [
  {
    number: 19,
    name: 'every message comes up to three times',
    quick: true,
    run: (world) =>
      echo(world, async (message, topic, producer) => {
        const copies = Array.from({ length: world.random.between(1, 2) }, () =>
          marked(message, message.value),
        );
        await producer.send({ topic: `${world.topicPrefix}${topic}`, messages: copies });
      }),
  },
  {
    number: 20,
    name: 'messages ask for attempts long made, or not due, or far ahead',
    quick: false,
    run: (world) =>
      echo(world, async (message, topic, producer) => {
        if (topic === 'workspace.events' || message.value === null) return;
        const asked = { ...JSON.parse(message.value.toString()), ordinal: world.random.between(1, 8) };
        await producer.send({
          topic: `${world.topicPrefix}${world.random.pick(['webhook.deliveries', ...TIERS])}`,
          messages: [marked(message, JSON.stringify(asked))],
        });
      }),
  },
  {
    number: 27,
    name: 'poison: broken JSON, unknown ids, a schema from the future, a wrong magic byte',
    quick: true,
    run: poison,
  },
];
