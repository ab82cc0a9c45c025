import { setTimeout as wait } from 'node:timers/promises';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import type { Fault } from '../fault.js';
import { openEndpoint } from '../load/population.js';
import { OK } from '../load/receiver.js';
import type { Random } from '../random.js';
import { countLogged } from '../world/logged.js';
import type { World } from '../world/world.js';
import { poison } from './poison.js';

const TIERS = [1, 2, 3, 4, 5, 6].map((tier) => `webhook.deliveries.retry.${tier}`);
const READ = ['workspace.events', 'webhook.deliveries', ...TIERS, 'webhook.deliveries.dlq'];
const FOR_MS = 30_000;
const MARK = 'fault';

const FREEZES = 3;
/** Longer than a session: somebody else takes over what is in flight. */
const FROZEN_MS = 11_000;
const THAWED_MS = 4_000;
/** Answers take so long that whoever is frozen has POSTs in flight. */
const SLOW_MS = 500;
const SLOW_PATHS = Array.from({ length: 8 }, (_, index) => `/slow-${index + 1}`);
const FEWEST_COPIES = 500;

interface Echo {
  readonly each: (message: KafkaMessage, topic: string, chance: Random) => EchoedMessage | null;
  /** How long it goes on. */
  readonly during: () => Promise<unknown>;
}

interface EchoedMessage {
  readonly topic: string;
  readonly messages: readonly ReturnType<typeof marked>[];
}

/**
 * Reads all topics along with the services, and sends something for each message that is not of our own making.
 *
 * @returns how many messages were sent
 */
async function echo(world: World, { each, during }: Echo): Promise<number> {
  const full = (topic: string) => `${world.topicPrefix}${topic}`;
  const consumer = world.kafka.consumer({ groupId: full('echo'), maxWaitTimeInMs: 200 });
  const producer = world.kafka.producer({ allowAutoTopicCreation: false });
  let sent = 0;
  await producer.connect();
  await consumer.connect();
  await consumer.subscribe({ topics: READ.map(full), fromBeginning: true });
  await consumer.run({
    autoCommit: false,
    eachBatch: async ({ batch }: EachBatchPayload) => {
      const topic = batch.topic.slice(world.topicPrefix.length);
      for (const message of batch.messages) {
        if (message.headers?.[MARK] !== undefined) continue;
        // Whatever order the topics are read in, a message has the same result.
        const chance = world.random.branch(READ.indexOf(topic), batch.partition, Number(message.offset));
        const echoed = each(message, topic, chance);
        if (echoed === null) continue;
        await producer.send({ topic: full(echoed.topic), messages: [...echoed.messages] });
        sent += echoed.messages.length;
      }
    },
  });
  await during();
  await consumer.disconnect();
  await producer.disconnect();
  return sent;
}

const marked = ({ key, headers }: KafkaMessage, value: Buffer | string | null) => ({
  key,
  value,
  headers: { ...headers, [MARK]: '1' },
});

/** Dispatchers in turn are away for longer than a session, and come back with what they saw. */
async function freezeInTurn(world: World): Promise<void> {
  for (let times = 0; times < FREEZES; times += 1) {
    const dispatchers = world.processes.of('dispatcher');
    const zombie = dispatchers[times % dispatchers.length];
    zombie?.freeze();
    await wait(FROZEN_MS);
    zombie?.thaw();
    await wait(THAWED_MS);
  }
}

/** @throws Error when it has not happened so often */
function atLeast(fewest: number, count: number, what: string): void {
  if (count < fewest) throw new Error(`${count} ${what}, and not ${fewest}`);
}

export const MESSAGES: readonly Fault[] = [
  {
    number: 19,
    name: 'every message comes up to three times',
    quick: true,
    async run(world) {
      const copies = await echo(world, {
        each: (message, topic, chance) => ({
          topic,
          messages: Array.from({ length: chance.between(1, 2) }, () => marked(message, message.value)),
        }),
        during: () => wait(FOR_MS),
      });
      world.say(`${copies} copies were sent`);
      atLeast(FEWEST_COPIES, copies, 'copies were sent');
    },
  },
  {
    number: 20,
    name: 'attempts are recorded that others settled long ago; messages ask for attempts long made, or far ahead',
    quick: false,
    // Less than the slow endpoints can take.
    rate: 5,
    // Delivered attempts are usually logged now and then.
    settings: () => ({ LOG_SAMPLE_DELIVERED: '1' }),
    async prepare(world) {
      const slowly = (_id: string, nth: number, lot: number) => {
        const fails = nth === 0 && lot < 25;
        return { status: fails ? 500 : 200, delayMs: SLOW_MS } as const;
      };
      for (const path of SLOW_PATHS) world.endpoints.push(await openEndpoint(world, path, slowly));
    },
    async run(world) {
      await echo(world, {
        each(message, topic, chance) {
          if (topic === 'workspace.events' || message.value === null) return null;
          const asked = { ...JSON.parse(message.value.toString()), ordinal: chance.between(1, 8) };
          return {
            topic: chance.pick(['webhook.deliveries', ...TIERS]),
            messages: [marked(message, JSON.stringify(asked))],
          };
        },
        during: () => freezeInTurn(world),
      });
      for (const path of SLOW_PATHS) world.receiver.behave(path, () => OK);
      const late = countLogged(world, '"event":"delivery.attempted"', '"recorded":false');
      world.say(`${late} observations came after another process had settled the attempt`);
      atLeast(1, late, 'observations came late');
    },
  },
  {
    number: 27,
    name: 'poison: broken JSON, unknown ids, a schema from the future, a wrong magic byte',
    quick: true,
    run: poison,
  },
];
