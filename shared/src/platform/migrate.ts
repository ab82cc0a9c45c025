import { schemaCodec } from '../kafka/schema-registry.js';
import { topicNames } from '../kafka/topic-names.js';
import { askTopics, createTopics, type TopicShape } from '../kafka/topics.js';
import { connectMongo } from '../mongo/connect.js';
import { migrateMongo } from '../mongo/migrate.js';
import type { Log } from '../ports/log.js';
import { retryUntil } from '../runtime/retry-until.js';
import type { PlatformConfig } from './platform.js';

type MigrateConfig = Pick<
  PlatformConfig,
  'MONGODB_URI' | 'KAFKA_BROKERS' | 'SCHEMA_REGISTRY_URL' | 'TOPIC_PREFIX' | 'START_TIMEOUT'
> &
  TopicShape;

/**
 * Makes topics, schemas, collections and indexes what this version needs. What is there already stays as it is, so it
 * may run at any time, twice, or at once. The schema version is recorded last: it says that all is in place.
 */
export async function migrate(config: MigrateConfig, log: Log): Promise<void> {
  const wait = (what: string, attempt: () => Promise<void>) =>
    retryUntil({ what, attempt, forMs: config.START_TIMEOUT, log });
  const kafkaOptions = { brokers: config.KAFKA_BROKERS, service: 'migrate', log };
  const names = topicNames(config.TOPIC_PREFIX);
  await Promise.all([
    wait('Kafka', () => askTopics(kafkaOptions, (admin) => createTopics(admin, names, config))),
    wait('schema registry', () => schemaCodec(config.SCHEMA_REGISTRY_URL, config.TOPIC_PREFIX).register()),
  ]);
  await wait('MongoDB', () => migrateDatabase(config.MONGODB_URI));
}

async function migrateDatabase(uri: string): Promise<void> {
  const database = await connectMongo(uri, 'migrate');
  try {
    await migrateMongo(database);
  } finally {
    await database.close();
  }
}
