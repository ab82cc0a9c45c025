import { setTimeout as wait } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';
import type { Fault } from '../fault.js';
import { countLogged } from '../world/logged.js';
import type { World } from '../world/world.js';

const RETRY_TOPICS = [1, 2, 3, 4, 5, 6].map((tier) => `webhook.deliveries.retry.${tier}`);
const QUEUES = ['webhook.deliveries', ...RETRY_TOPICS, 'webhook.deliveries.dlq'];
const BY_BROKERS_CLOCK = { 'message.timestamp.type': 'LogAppendTime' };
const STREAMS = ['workspace.events', 'workspace.notifications'];
/** Hardly any message gets there so soon. Of missing replicas a single broker does not printError. */
const ONLY_OF_THIS_MILLISECOND = {
  'message.timestamp.type': 'CreateTime',
  'message.timestamp.before.max.ms': '0',
  'message.timestamp.after.max.ms': '0',
};
const ERRORS_MS = 12_000;
const OFFSETS_FREE_WITHIN_MS = 15_000;
const RECREATED_WITHIN_MS = 30_000;

async function asAdmin(world: World, work: (admin: Admin) => Promise<unknown>): Promise<void> {
  const admin = world.kafka.admin();
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Gives topics these settings and no others. */
function configure(world: World, topics: readonly string[], settings: Readonly<Record<string, string>>) {
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  return asAdmin(world, (admin) =>
    admin.alterConfigs({
      validateOnly: false,
      resources: topics.map((topic) => ({
        type: kafkajs.ConfigResourceTypes.TOPIC,
        name: `${world.topicPrefix}${topic}`,
        configEntries,
      })),
    }),
  );
}

/** @throws Error when the topic is not there again in time, empty */
async function recreate(world: World, topic: string): Promise<void> {
  const name = `${world.topicPrefix}${topic}`;
  await asAdmin(world, async (admin) => {
    const [described] = (await admin.fetchTopicMetadata({ topics: [name] })).topics;
    await admin.deleteTopics({ topics: [name] });
    const configEntries = Object.entries(BY_BROKERS_CLOCK).map(([key, value]) => ({ name: key, value }));
    const numPartitions = described?.partitions.length ?? 1;
    const create = () => admin.createTopics({ topics: [{ topic: name, numPartitions, configEntries }] });
    const until = Date.now() + RECREATED_WITHIN_MS;
    // As long as the old one is being deleted there can be no new one.
    for (let made = false; !made; made = await create().catch(() => false)) {
      if (Date.now() > until) throw new Error(`${topic} could not be made again after it was deleted`);
      await wait(200);
    }
  });
}

/** A group can be deleted once its last member has gone. */
async function deleteOffsets(world: World): Promise<void> {
  const groups = ['dispatcher', 'fan-out'].map((group) => `${world.topicPrefix}${group}`);
  const until = Date.now() + OFFSETS_FREE_WITHIN_MS;
  await asAdmin(world, async (admin) => {
    for (;;) {
      try {
        return await admin.deleteGroups(groups);
      } catch (error) {
        if (Date.now() > until) throw error;
        await wait(500);
      }
    }
  });
}

/** @throws Error when no service was refused anything for this reason */
function expectRefusals(world: World, reason: string): void {
  const refused = countLogged(world, reason);
  world.say(`${refused} lines of the services tell of ${reason}`);
  if (refused === 0) throw new Error(`Kafka refused nobody anything for ${reason}`);
}

export const BROKER: readonly Fault[] = [
  {
    number: 7,
    name: 'Kafka is killed and down for 30 s',
    quick: true,
    outage: 'broker',
    async run({ servers }) {
      await servers.kafka.kill();
      await wait(30_000);
      await servers.kafka.start();
    },
  },
  {
    number: 8,
    name: 'Kafka is frozen for 45 s',
    quick: true,
    outage: 'broker',
    async run({ servers }) {
      servers.kafka.freeze();
      await wait(45_000);
      servers.kafka.thaw();
    },
  },
  {
    number: 9,
    name: 'Kafka refuses messages: too large, then dated wrongly',
    quick: false,
    async run(world) {
      await configure(world, QUEUES, { ...BY_BROKERS_CLOCK, 'max.message.bytes': '64' });
      await wait(ERRORS_MS);
      await configure(world, [...QUEUES, ...STREAMS], ONLY_OF_THIS_MILLISECOND);
      await wait(ERRORS_MS);
      await configure(world, QUEUES, BY_BROKERS_CLOCK);
      await configure(world, STREAMS, {});
      expectRefusals(world, 'MESSAGE_TOO_LARGE');
      expectRefusals(world, 'INVALID_TIMESTAMP');
    },
  },
  {
    number: 21,
    name: "the groups' offsets are deleted, the delivery topic is recreated empty",
    quick: true,
    async run(world) {
      await world.processes.stopAll('dispatcher');
      await deleteOffsets(world);
      await wait(5_000);
      await Promise.all([world.processes.start('dispatcher'), world.processes.start('dispatcher')]);
      await wait(10_000);
      await recreate(world, 'webhook.deliveries');
      await wait(5_000);
      await recreate(world, 'webhook.deliveries.retry.1');
      await wait(5_000);
    },
  },
];
