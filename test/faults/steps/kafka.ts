import kafkajs from 'kafkajs';
import { poll } from '#dev/processes/poll';
import type { Step } from '../fault.js';
import { withAdmin } from '../world/world.js';

export const DELIVERIES = 'webhook.deliveries';
export const RETRY_TOPICS = [1, 2, 3, 4, 5, 6].map((tier) => `${DELIVERIES}.retry.${tier}`);
export const DEAD_LETTERS = `${DELIVERIES}.dlq`;
export const QUEUES = [DELIVERIES, ...RETRY_TOPICS, DEAD_LETTERS];
export const STREAMS = ['workspace.events', 'workspace.notifications'];
/** The setting with which the queues are created. */
export const LOG_APPEND_TIME = { 'message.timestamp.type': 'LogAppendTime' };
/** `LOG_APPEND_TIME` in the form that creating a topic requires. */
export const LOG_APPEND_TIME_ENTRIES = Object.entries(LOG_APPEND_TIME).map(([name, value]) => ({
  name,
  value,
}));

/** Replaces the settings of topics. */
export function configure(topics: readonly string[], settings: Readonly<Record<string, string>>): Step {
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }));
  const type = kafkajs.ConfigResourceTypes.TOPIC;
  return ({ kafka, topicPrefix }) => {
    const resources = topics.map((topic) => ({ type, name: `${topicPrefix}${topic}`, configEntries }));
    return withAdmin(kafka, (admin) => admin.alterConfigs({ validateOnly: false, resources }));
  };
}

/** Deletes a topic and creates it again, empty, once the deletion is complete. */
export function recreate(name: string): Step {
  const soon = { everyMs: 200, timeoutMs: 30_000, what: `the creation of ${name}` };
  return ({ kafka, topicPrefix }) =>
    withAdmin(kafka, async (admin) => {
      const topic = `${topicPrefix}${name}`;
      const [described] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
      await admin.deleteTopics({ topics: [topic] });
      const created = {
        topic,
        numPartitions: described?.partitions.length ?? 1,
        configEntries: LOG_APPEND_TIME_ENTRIES,
      };
      // Waiting for leaders may fail after the creation, and a topic that exists counts as not created.
      const create = () => admin.createTopics({ topics: [created], waitForLeaders: false });
      await poll(async () => (await create()) || undefined, soon);
    });
}

/** Deletes consumer groups with their offsets, once their last members have left. */
export function deleteGroups(...groups: readonly string[]): Step {
  const soon = { everyMs: 500, timeoutMs: 15_000, what: 'the deletion of the consumer groups' };
  return ({ kafka, topicPrefix }) => {
    const ids = groups.map((group) => `${topicPrefix}${group}`);
    return withAdmin(kafka, (admin) => poll(() => admin.deleteGroups(ids), soon));
  };
}
