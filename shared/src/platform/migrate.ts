import { customEventType } from '../catalogue/catalogue.js';
import type { KafkaOptions, TopicShape } from '../kafka/connect.js';
import { registerTypes } from '../kafka/custom-codec.js';
import { createRegistryClient } from '../kafka/registry-client.js';
import { createSchemaCodec } from '../kafka/schema-registry.js';
import { createTopicNames, type TopicNames } from '../kafka/topic-names.js';
import { createTopics, withKafkaAdmin } from '../kafka/topics.js';
import { createCatalogueStore } from '../mongo/catalogue-store.js';
import { connectMongo, type Database } from '../mongo/connect.js';
import { migrateMongo } from '../mongo/migrate.js';
import { withMigrationLease } from '../mongo/migration-lease.js';
import { type ShowIndexBuilds, watchIndexBuilds } from '../mongo/watch-index-builds.js';
import type { Log } from '../ports/log.js';
import { OUTCOMES_TOPIC } from '../ports/topics.js';
import { retryUntil } from '../runtime/retry-until.js';
import { type AccessConfig, kafkaAccess, mongoTls, registryAccess } from './access.js';
import type { PlatformConfig } from './platform-config.js';

type MigrateConfig = AccessConfig &
  Pick<PlatformConfig, 'MONGODB_URI' | 'SCHEMA_REGISTRY_URL' | 'TOPIC_PREFIX' | 'START_TIMEOUT'> &
  TopicShape;

/**
 * Creates the topics, schemas, collections and indexes of this version. Existing ones are not changed, so it may run at
 * any time, repeatedly or concurrently: concurrent runs take turns by a lease in the database. The schema version is
 * stored last, to mark the migration as complete.
 *
 * @param show is called now and then with the index builds that take long
 */
export async function migrate(
  config: MigrateConfig,
  log: Log,
  show: ShowIndexBuilds = () => {},
): Promise<void> {
  const wait = retryUntil({ forMs: config.START_TIMEOUT, log });
  const { MONGODB_URI, SCHEMA_REGISTRY_URL, TOPIC_PREFIX } = config;
  const kafkaOptions = { ...kafkaAccess(config), service: 'migrate', log };
  const names = createTopicNames(TOPIC_PREFIX);
  const codec = createSchemaCodec(SCHEMA_REGISTRY_URL, TOPIC_PREFIX, registryAccess(config));
  const database = await wait('MongoDB', () => connectMongo(MONGODB_URI, 'migrate', mongoTls(config)));
  try {
    await withMigrationLease(database, wait, async () => {
      await Promise.all([
        wait('Kafka', () => createAllTopics(kafkaOptions, names, config)),
        wait('schema registry', codec.register),
      ]);
      await wait('schema registry', () => registerCatalogue(config, database));
      await wait('MongoDB', () => watchIndexBuilds(database, { show }, () => migrateMongo(database)));
    });
  } finally {
    await database.close();
  }
}

async function createAllTopics(options: KafkaOptions, names: TopicNames, shape: TopicShape): Promise<void> {
  const { withoutSegments } = await withKafkaAdmin(options, (admin) => createTopics(admin, names, shape));
  if (!withoutSegments) return;
  const topic = names.full(OUTCOMES_TOPIC);
  options.log.warn(
    { event: 'topics.segments_refused', topic },
    `the broker does not allow segments of 15 minutes: ${topic} has segments of its default size and keeps records for longer`,
  );
}

/** A registry that lost its data gets the schemas of the stored catalogue again. */
async function registerCatalogue(config: MigrateConfig, database: Database): Promise<void> {
  const { types } = await createCatalogueStore(database).read();
  const registry = createRegistryClient(config.SCHEMA_REGISTRY_URL, registryAccess(config));
  await registerTypes(registry, config.TOPIC_PREFIX, types.map(customEventType));
}
