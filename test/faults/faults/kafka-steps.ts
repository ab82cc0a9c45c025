import kafkajs, { type Admin } from 'kafkajs';
import { poll } from '#dev/processes/poll';
import type { Step } from '../fault.js';
import type { World } from '../world/world.js';

export const DELIVERIES = 'webhook.deliveries';
export const RETRY_TOPICS = [1, 2, 3, 4, 5, 6].map((tier) => `${DELIVERIES}.retry.${tier}`);
export const DEAD_LETTERS = `${DELIVERIES}.dlq`;
export const QUEUES = [DELIVERIES, ...RETRY_TOPICS, DEAD_LETTERS];
export const STREAMS = ['workspace.events', 'workspace.notifications'];
/** The setting with which the queues are created. */
export const LOG_APPEND_TIME = { 'message.timestamp.type': 'LogAppendTime' };

export async function withAdmin<T>({ kafka }: World, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}

/** Replaces the settings of topics. */
export const configure =
  (topics: readonly string[], settings: Readonly<Record<string, string>>): Step =>
  (world) => {
    const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
    const type = kafkajs.ConfigResourceTypes.TOPIC;
    const resources = topics.map((topic) => ({ type, name: `${world.topicPrefix}${topic}`, configEntries }));
    return withAdmin(world, (admin) => admin.alterConfigs({ validateOnly: false, resources }));
  };

/** Deletes a topic and creates it again, empty, once the deletion is complete. */
export const recreate =
  (name: string): Step =>
  (world) =>
    withAdmin(world, async (admin) => {
      const topic = `${world.topicPrefix}${name}`;
      const [described] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
      await admin.deleteTopics({ topics: [topic] });
      const configEntries = Object.entries(LOG_APPEND_TIME).map(([key, value]) => ({ name: key, value }));
      const created = { topic, numPartitions: described?.partitions.length ?? 1, configEntries };
      await poll(async () => (await admin.createTopics({ topics: [created] })) || undefined, {
        everyMs: 200,
        timeoutMs: 30_000,
        what: `the creation of ${name}`,
      });
    });

/** Deletes consumer groups with their offsets, once their last members have left. */
export const deleteGroups =
  (...groups: readonly string[]): Step =>
  (world) =>
    withAdmin(world, (admin) =>
      poll(() => admin.deleteGroups(groups.map((group) => `${world.topicPrefix}${group}`)), {
        everyMs: 500,
        timeoutMs: 15_000,
        what: 'the deletion of the consumer groups',
      }),
    );
