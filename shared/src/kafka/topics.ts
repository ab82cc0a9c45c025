import type { Admin, ITopicConfig } from 'kafkajs';
import { DELIVERY_TOPICS, EVENTS_TOPIC, NOTIFICATIONS_TOPIC, QUARANTINE_TOPIC } from '../ports/topics.js';
import { type KafkaOptions, kafkaClient } from './connect.js';
import type { TopicNames } from './topic-names.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const RETENTION_MS = 7 * DAY_MS;

export interface TopicShape {
  readonly partitions: number;
  /** -1 takes the broker's default. */
  readonly replicationFactor: number;
}

const ALL_TOPICS = [EVENTS_TOPIC, NOTIFICATIONS_TOPIC, ...DELIVERY_TOPICS, QUARANTINE_TOPIC];

/** Creates the topics that are missing, then checks them all. */
export async function createTopics(admin: Admin, names: TopicNames, shape: TopicShape): Promise<void> {
  await admin.createTopics({
    topics: ALL_TOPICS.map((topic) => configOf(names.full(topic), topic, shape)),
    waitForLeaders: true,
  });
  await checkTopics(admin, names);
}

function configOf(full: string, topic: string, { partitions, replicationFactor }: TopicShape): ITopicConfig {
  const configEntries = [{ name: 'retention.ms', value: String(RETENTION_MS) }];
  // A tier's messages are due by the broker's clock at append, in offset order.
  if (DELIVERY_TOPICS.includes(topic))
    configEntries.push({ name: 'message.timestamp.type', value: 'LogAppendTime' });
  return { topic: full, numPartitions: partitions, replicationFactor, configEntries };
}

/**
 * Checks that every topic is there and that all delivery topics have the same partition count.
 *
 * @returns that partition count
 * @throws Error that names what is missing or differs, and what to run
 */
export async function checkTopics(admin: Admin, names: TopicNames): Promise<number> {
  const existing = new Set(await admin.listTopics());
  const missing = ALL_TOPICS.map(names.full).filter((topic) => !existing.has(topic));
  if (missing.length > 0) throw new Error(`Kafka has no topic ${missing.join(', ')}: run "admin migrate"`);
  const { topics } = await admin.fetchTopicMetadata({ topics: DELIVERY_TOPICS.map(names.full) });
  const counts = topics.map(({ name, partitions }) => `${name} ${partitions.length}`);
  const [first] = topics;
  if (first === undefined || topics.some(({ partitions }) => partitions.length !== first.partitions.length)) {
    throw new Error(
      `the delivery topics differ in their partition counts, which must be one and the same: ${counts.join(', ')}`,
    );
  }
  return first.partitions.length;
}

/**
 * Asks the broker once, on a connection of its own.
 *
 * @throws Error that says why the broker cannot be used, or what is wrong with the topics
 */
export async function askTopics<T>(options: KafkaOptions, ask: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafkaClient({ ...options, retries: 0 }).admin();
  try {
    await admin.connect();
    return await ask(admin);
  } finally {
    await admin.disconnect();
  }
}
