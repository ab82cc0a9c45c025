import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import { DAY_MS, HOUR_MS } from '../domain/durations.js';
import {
  DELIVERY_TOPICS,
  EVENTS_TOPIC,
  NOTIFICATIONS_TOPIC,
  OUTCOMES_TOPIC,
  QUARANTINE_TOPIC,
  RETRY_TOPICS,
} from '../ports/topics.js';
import { sleep } from '../runtime/sleep.js';
import { createKafkaClient, type KafkaOptions, type TopicShape } from './connect.js';
import { explainCreation, explainKafka, refusedSettings } from './explain-kafka-error.js';
import type { TopicNames } from './topic-names.js';

const RETENTION_MS = 7 * DAY_MS;
/** Streams resume within minutes, and the lists of deliveries have everything. Segments are removed as a whole. */
const OUTCOMES_RETENTION = { 'retention.ms': HOUR_MS, 'segment.ms': HOUR_MS / 4 };
/** The one setting that is not needed. Managed brokers may refuse values below some hours. */
const OPTIONAL_SETTING = 'segment.ms';

/** Retry messages are due by the broker's append time, so that they are due in offset order. */
const TIMESTAMP_TYPE = 'message.timestamp.type';
const LOG_APPEND_TIME = 'LogAppendTime';

/**
 * An append is acknowledged only once it is on two brokers, if there are three or more, so that one may be away. With two, the
 * outage of either would stop all appends.
 */
const IN_SYNC = { 'min.insync.replicas': 2 };
const IN_SYNC_FROM = 3;

const ALL_TOPICS = [EVENTS_TOPIC, NOTIFICATIONS_TOPIC, OUTCOMES_TOPIC, ...DELIVERY_TOPICS, QUARANTINE_TOPIC];

/** How long a created topic may stay unknown to brokers, in milliseconds. */
const KNOWN_WITHIN_MS = 10_000;
const RECHECK_MS = 50;

class MissingTopics extends Error {
  override readonly name = 'MissingTopics';
}

export interface Created {
  /** Whether the broker refused the segments that were requested for the outcomes, so that it keeps them for longer. */
  readonly withoutSegments: boolean;
}

/** Creates missing topics, then checks all of them. */
export async function createTopics(admin: Admin, names: TopicNames, shape: TopicShape): Promise<Created> {
  // Existing topics are not requested: their creation may be refused to this user, or for the settings of this version.
  const existing = new Set(await admin.listTopics());
  const missing = ALL_TOPICS.filter((topic) => !existing.has(names.full(topic)));
  const ofDeliveries = await shapeOfDeliveries(admin, names, { existing, shape });
  const topics = missing.map((topic) =>
    configOf(names.full(topic), topic, DELIVERY_TOPICS.includes(topic) ? ofDeliveries : shape),
  );
  const withoutSegments = topics.length > 0 && (await createAll(admin, topics));
  await checkUntilKnown(admin, names);
  return { withoutSegments };
}

interface Wanted {
  readonly existing: ReadonlySet<string>;
  readonly shape: TopicShape;
}

/** All delivery topics need the same partition count, which may have grown since the first ones were created. */
async function shapeOfDeliveries(
  admin: Admin,
  names: TopicNames,
  { existing, shape }: Wanted,
): Promise<TopicShape> {
  const others = DELIVERY_TOPICS.map(names.full).filter((topic) => existing.has(topic));
  if (others.length === 0 || others.length === DELIVERY_TOPICS.length) return shape;
  const { topics } = await admin.fetchTopicMetadata({ topics: others });
  return { ...shape, partitions: Math.max(...topics.map(({ partitions }) => partitions.length)) };
}

/** Returns whether the optional setting was left out, because the broker refused it. */
async function createAll(admin: Admin, topics: readonly ITopicConfig[]): Promise<boolean> {
  const create = (requested: readonly ITopicConfig[]) =>
    admin.createTopics({ topics: [...requested], waitForLeaders: false });
  const required = topics.map(withoutOptionalSetting);
  try {
    await create(topics);
    return false;
  } catch (error) {
    const refused = refusedSettings(error);
    if (!topics.some((one, index) => one !== required[index] && refused.has(one.topic)))
      throw explainCreation(error, topics);
  }
  // Topics that the first request created exist, and those that it did not create fail again, with their reasons.
  await create(required).catch((error: unknown) => {
    throw explainCreation(error, required);
  });
  return true;
}

function withoutOptionalSetting(topic: ITopicConfig): ITopicConfig {
  const { configEntries = [] } = topic;
  const required = configEntries.filter(({ name }) => name !== OPTIONAL_SETTING);
  return required.length === configEntries.length ? topic : { ...topic, configEntries: required };
}

/** Retries while the brokers do not know the topics that the controller has created. */
async function checkUntilKnown(admin: Admin, names: TopicNames): Promise<void> {
  const until = performance.now() + KNOWN_WITHIN_MS;
  for (;;) {
    try {
      await checkTopics(admin, names);
      return;
    } catch (error) {
      if (!isNotKnownYet(error) || performance.now() > until) throw error;
    }
    await sleep(RECHECK_MS);
  }
}

function isNotKnownYet(error: unknown): boolean {
  const type = error instanceof Error && 'type' in error ? error.type : null;
  return (
    error instanceof MissingTopics || type === 'UNKNOWN_TOPIC_OR_PARTITION' || type === 'LEADER_NOT_AVAILABLE'
  );
}

function configOf(full: string, topic: string, { partitions, replicationFactor }: TopicShape): ITopicConfig {
  const retention = topic === OUTCOMES_TOPIC ? OUTCOMES_RETENTION : { 'retention.ms': RETENTION_MS };
  const settings = { ...retention, ...(replicationFactor >= IN_SYNC_FROM && IN_SYNC) };
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value: String(value) }));
  if (DELIVERY_TOPICS.includes(topic)) configEntries.push({ name: TIMESTAMP_TYPE, value: LOG_APPEND_TIME });
  return { topic: full, numPartitions: partitions, replicationFactor, configEntries };
}

/**
 * Checks that all topics exist, that all delivery topics have the same partition count, and that retry topics use append
 * time.
 *
 * @returns that partition count
 * @throws Error with the problem and the remedy
 */
export async function checkTopics(admin: Admin, names: TopicNames): Promise<number> {
  const existing = new Set(await admin.listTopics());
  const missing = ALL_TOPICS.map(names.full).filter((topic) => !existing.has(topic));
  if (missing.length > 0)
    throw new MissingTopics(`Kafka has no topic ${missing.join(', ')}: run "admin migrate"`);
  const partitions = await checkPartitions(admin, names);
  await checkTimestampType(admin, names);
  return partitions;
}

async function checkPartitions(admin: Admin, names: TopicNames): Promise<number> {
  const { topics } = await admin.fetchTopicMetadata({ topics: DELIVERY_TOPICS.map(names.full) });
  const counts = topics.map(({ name, partitions }) => `${name} ${partitions.length}`);
  const [first] = topics;
  if (first === undefined || topics.some(({ partitions }) => partitions.length !== first.partitions.length)) {
    throw new Error(
      `the delivery topics must have the same partition count: ${counts.join(', ')}; add partitions to the smaller ones (kafka-topics.sh --alter)`,
    );
  }
  return first.partitions.length;
}

async function checkTimestampType(admin: Admin, names: TopicNames): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: RETRY_TOPICS.map((topic) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: names.full(topic),
      configNames: [TIMESTAMP_TYPE],
    })),
  });
  const others = resources.filter(
    ({ configEntries }) => !configEntries.some(({ configValue }) => configValue === LOG_APPEND_TIME),
  );
  if (others.length === 0) return;
  const listed = others.map(({ resourceName }) => resourceName).join(', ');
  throw new Error(
    `the retry topics must have ${TIMESTAMP_TYPE}=${LOG_APPEND_TIME}, which is not set on ${listed}: alter the topic`,
  );
}

/** For requests about topics that the broker may not know yet. Connecting is not retried. */
const OPERATION_RETRY = { initialRetryTime: 100, retries: 5 };

/**
 * Runs a task with an admin client on a separate connection.
 *
 * @throws Error that explains why the broker cannot be used or what is wrong with the topics
 */
export async function withKafkaAdmin<T>(
  options: KafkaOptions,
  task: (admin: Admin) => Promise<T>,
): Promise<T> {
  const admin = createKafkaClient({ ...options, retries: 0 }).admin({ retry: OPERATION_RETRY });
  try {
    await admin.connect();
    return await task(admin);
  } catch (error) {
    throw explainKafka(error, options);
  } finally {
    await admin.disconnect();
  }
}
