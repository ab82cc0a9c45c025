import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import {
  DELIVERY_TOPICS,
  EVENTS_TOPIC,
  NOTIFICATIONS_TOPIC,
  QUARANTINE_TOPIC,
  RETRY_TOPICS,
} from '../ports/topics.js';
import { createKafkaClient, type KafkaOptions, type TopicShape } from './connect.js';
import { explainCreation, explainKafka } from './explain-kafka-error.js';
import type { TopicNames } from './topic-names.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const RETENTION_MS = 7 * DAY_MS;

/** Who dates a message. A tier's messages are due by the broker's clock at append, in offset order. */
const DATING = 'message.timestamp.type';
const BY_BROKER = 'LogAppendTime';

const ALL_TOPICS = [EVENTS_TOPIC, NOTIFICATIONS_TOPIC, ...DELIVERY_TOPICS, QUARANTINE_TOPIC];

/** How long a topic that was just made may stay unknown, in milliseconds. */
const KNOWN_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 50;

class MissingTopics extends Error {
  override readonly name = 'MissingTopics';
}

/** Creates the topics that are missing, then checks them all. */
export async function createTopics(admin: Admin, names: TopicNames, shape: TopicShape): Promise<void> {
  const topics = ALL_TOPICS.map((topic) => configOf(names.full(topic), topic, shape));
  await admin.createTopics({ topics, waitForLeaders: false }).catch((error: unknown) => {
    throw explainCreation(error, shape);
  });
  await checkSoon(admin, names);
}

/** The controller has made the topics; the brokers hear of it a little later. */
async function checkSoon(admin: Admin, names: TopicNames): Promise<void> {
  const until = performance.now() + KNOWN_WITHIN_MS;
  for (;;) {
    try {
      await checkTopics(admin, names);
      return;
    } catch (error) {
      if (!isYoung(error) || performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

function isYoung(error: unknown): boolean {
  const type = error instanceof Error && 'type' in error ? error.type : null;
  return (
    error instanceof MissingTopics || type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'LEADER_NOT_AVAILABLE'
  );
}

function configOf(full: string, topic: string, { partitions, replicationFactor }: TopicShape): ITopicConfig {
  const configEntries = [{ name: 'retention.ms', value: String(RETENTION_MS) }];
  if (DELIVERY_TOPICS.includes(topic)) configEntries.push({ name: DATING, value: BY_BROKER });
  return { topic: full, numPartitions: partitions, replicationFactor, configEntries };
}

/**
 * Checks that every topic is there, that all delivery topics have the same partition count, and that the broker dates
 * what waits in the retry topics.
 *
 * @returns that partition count
 * @throws Error that names what is missing or differs, and what to run
 */
export async function checkTopics(admin: Admin, names: TopicNames): Promise<number> {
  const existing = new Set(await admin.listTopics());
  const missing = ALL_TOPICS.map(names.full).filter((topic) => !existing.has(topic));
  if (missing.length > 0)
    throw new MissingTopics(`Kafka has no topic ${missing.join(', ')}: run "admin migrate"`);
  const partitions = await checkPartitions(admin, names);
  await checkDating(admin, names);
  return partitions;
}

async function checkPartitions(admin: Admin, names: TopicNames): Promise<number> {
  const { topics } = await admin.fetchTopicMetadata({ topics: DELIVERY_TOPICS.map(names.full) });
  const counts = topics.map(({ name, partitions }) => `${name} ${partitions.length}`);
  const [first] = topics;
  if (first === undefined || topics.some(({ partitions }) => partitions.length !== first.partitions.length)) {
    throw new Error(
      `the delivery topics differ in their partition counts, which must be one and the same: ${counts.join(', ')}; add partitions to the smaller ones (kafka-topics --alter)`,
    );
  }
  return first.partitions.length;
}

async function checkDating(admin: Admin, names: TopicNames): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: RETRY_TOPICS.map((topic) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: names.full(topic),
      configNames: [DATING],
    })),
  });
  const others = resources.filter(
    ({ configEntries }) => !configEntries.some(({ configValue }) => configValue === BY_BROKER),
  );
  if (others.length === 0) return;
  const listed = others.map(({ resourceName }) => resourceName).join(', ');
  throw new Error(
    `the retry topics must have ${DATING}=${BY_BROKER}, which ${listed} has not: alter the topic`,
  );
}

/** A broker needs a moment to know the topics that were just made. Connecting is not tried again. */
const OPERATION_RETRY = { initialRetryTime: 100, retries: 5 };

/**
 * Asks the broker once, on a connection of its own.
 *
 * @throws Error that says why the broker cannot be used, or what is wrong with the topics
 */
export async function withKafkaAdmin<T>(
  options: KafkaOptions,
  ask: (admin: Admin) => Promise<T>,
): Promise<T> {
  const admin = createKafkaClient({ ...options, retries: 0 }).admin({ retry: OPERATION_RETRY });
  try {
    await admin.connect();
    return await ask(admin);
  } catch (error) {
    throw explainKafka(error, options);
  } finally {
    await admin.disconnect();
  }
}
