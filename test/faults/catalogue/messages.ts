import type { KafkaMessage } from 'kafkajs';
import type { Fault, Step } from '../fault.js';
import { OK } from '../load/receiver.js';
import type { Random } from '../random.js';
import { addEndpoints, answer, atLeast, expectLogged, paths, pause } from '../steps/frequent.js';
import { DELIVERIES, QUEUES, RETRY_TOPICS } from '../steps/kafka.js';
import { poison } from '../steps/poison.js';
import { freezeDispatchers } from '../steps/processes.js';

const READ = ['workspace.events', ...QUEUES];
/** The header of all messages that the fault sends. */
const MARK = 'fault';
const MIN_COPIES = 500;
const SLOW_PATHS = paths('/slow', 8);

interface Derived {
  readonly topic: string;
  readonly value: Buffer | string | null;
  readonly copies: number;
}

/** Reads all topics alongside the services, and sends derived messages for each message while a step runs. */
const sendForEachMessage =
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

export const MESSAGES: readonly Fault[] = [
  {
    number: 19,
    name: 'every message arrives two or three times',
    quick: true,
    steps: [
      sendForEachMessage(
        ({ value }, topic, random) => ({ topic, value, copies: random.between(1, 2) }),
        pause(30),
      ),
    ],
  },
  {
    number: 20,
    name: 'attempts are recorded long after another process recorded them; messages request past or future attempts',
    // Less than the slow endpoints can handle.
    rate: 5,
    settings: () => ({ LOG_SAMPLE_DELIVERED: '1' }),
    // So slow that a frozen dispatcher has POSTs in flight.
    prepare: addEndpoints(SLOW_PATHS, (bucket, earlier) => {
      return { status: earlier === 0 && bucket < 25 ? 500 : 200, delayMs: 500 };
    }),
    steps: [
      sendForEachMessage(
        (message, topic, random) => {
          if (topic === 'workspace.events' || message.value === null) return null;
          const value = { ...JSON.parse(message.value.toString()), ordinal: random.between(1, 8) };
          return {
            topic: random.pick([DELIVERIES, ...RETRY_TOPICS]),
            value: JSON.stringify(value),
            copies: 1,
          };
        },
        // Longer than a session: another dispatcher takes over what is in flight.
        freezeDispatchers({ times: 3, frozenMs: 11_000, pauseMs: 4_000 }),
      ),
      answer(SLOW_PATHS, () => OK),
      expectLogged('"event":"delivery.attempted"', '"recorded":false'),
    ],
  },
  {
    number: 27,
    name: 'topics contain broken JSON, unknown ids, a future schema and wrong magic bytes',
    quick: true,
    steps: [poison],
  },
];
