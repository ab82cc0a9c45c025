import type { Kafka } from 'kafkajs';
import { LASTING_SERVICES } from '../domain/feature-level.js';
import { createKafkaClient } from '../kafka/connect.js';
import { type CustomCodec, createCustomCodec } from '../kafka/custom-codec.js';
import { createEncode } from '../kafka/event-codec.js';
import { createOutboxPublisher } from '../kafka/outbox-publisher.js';
import { createOutcomePublisher } from '../kafka/outcome-publisher.js';
import { connectPublisher } from '../kafka/publisher.js';
import { createRegistryClient } from '../kafka/registry-client.js';
import { createSchemaCodec, type SchemaCodec } from '../kafka/schema-registry.js';
import { createTopicNames, type TopicNames } from '../kafka/topic-names.js';
import { checkTopics, withKafkaAdmin } from '../kafka/topics.js';
import { createCatalogueStore } from '../mongo/catalogue-store.js';
import { connectMongo, type Database } from '../mongo/connect.js';
import { createFeatureLevelStore } from '../mongo/feature-level-store.js';
import { checkMongoSchema } from '../mongo/migrate.js';
import { createOutboxStore } from '../mongo/outbox-store.js';
import { startPrimaryClock } from '../mongo/primary-clock.js';
import { createAddStats } from '../mongo/stats-store.js';
import { startOutboxRelay } from '../outbox/relay.js';
import type { CatalogueView } from '../ports/catalogue.js';
import type { Clock } from '../ports/clock.js';
import type { FeatureLevel } from '../ports/feature-level.js';
import type { Log } from '../ports/log.js';
import type { OutboxRelay } from '../ports/outbox.js';
import type { Publish } from '../ports/queue.js';
import { type CrashBefore, createFailpoints } from '../runtime/failpoints.js';
import { retryUntil } from '../runtime/retry-until.js';
import { kafkaAccess, mongoTls, registryAccess } from './access.js';
import { createStatsCollector, type StatsCollector } from './collect-stats.js';
import { followFeatureLevel } from './follow-feature-level.js';
import type { PlatformConfig } from './platform-config.js';
import { createOutcomeReporter, NO_OUTCOMES, type OutcomeReporter } from './report-outcomes.js';
import { watchCatalogue } from './watch-catalogue.js';

/** The platform of every service: the database, the broker, the registry, the clock and the outbox. */
export interface Platform {
  readonly database: Database;
  readonly clock: Clock;
  /** How far this machine's clock is behind the database's, in milliseconds. */
  readonly clockOffsetMs: () => number;
  readonly featureLevel: FeatureLevel;
  readonly kafka: Kafka;
  readonly names: TopicNames;
  /** The session time-out of consumer groups, in milliseconds. */
  readonly sessionTimeoutMs: number;
  /** Partitions of each delivery topic. */
  readonly partitions: number;
  readonly publish: Publish;
  /** Encodes every event and notification; decodes those of built-in types. */
  readonly codec: SchemaCodec;
  /** Decodes events of custom types. */
  readonly customCodec: Pick<CustomCodec, 'decode'>;
  /** The custom event types. */
  readonly catalogue: CatalogueView;
  readonly relay: OutboxRelay;
  readonly outcomes: Omit<OutcomeReporter, 'close'>;
  readonly stats: Omit<StatsCollector, 'close'>;
  readonly crashBefore: CrashBefore;
  /** Publishes the outbox records in memory, then closes all connections. */
  close(): Promise<void>;
}

const DRAIN_MS = 2_000;

/** Closes one connection or timer. */
type Cleanup = () => Promise<unknown>;

/**
 * Connects a service. Retries unavailable dependencies, with a logged reason, for START_TIMEOUT in total. If it fails, it
 * closes everything it opened.
 *
 * @param stopping aborted when the process is to stop: unavailable dependencies are not waited for any longer
 */
export async function connectPlatform(
  config: PlatformConfig,
  service: string,
  log: Log,
  stopping?: AbortSignal,
): Promise<Platform> {
  const opened: Cleanup[] = [];
  try {
    return await connectAll(config, { service, log, opened, ...(stopping && { stopping }) });
  } catch (error) {
    await Promise.allSettled(opened.map((cleanup) => cleanup()));
    throw error;
  }
}

interface Connecting {
  readonly service: string;
  readonly log: Log;
  readonly stopping?: AbortSignal;
  /** Collects the cleanups of everything opened so far, in the order of opening. */
  readonly opened: Cleanup[];
}

async function connectAll(config: PlatformConfig, connecting: Connecting): Promise<Platform> {
  const { service, log, opened } = connecting;
  const wait = retryUntil({ ...connecting, forMs: config.START_TIMEOUT });
  const names = createTopicNames(config.TOPIC_PREFIX);
  const kafkaOptions = { ...kafkaAccess(config), service, log };
  const kafka = createKafkaClient(kafkaOptions);
  const [connected, checked] = await Promise.allSettled([
    wait('MongoDB', () => connectMongo(config.MONGODB_URI, service, mongoTls(config))),
    wait('Kafka', () => withKafkaAdmin(kafkaOptions, (admin) => checkTopics(admin, names))),
  ]);
  if (connected.status === 'rejected') throw connected.reason;
  const database = connected.value;
  opened.push(database.close);
  if (checked.status === 'rejected') throw checked.reason;
  await wait('database schema', () => checkMongoSchema(database));
  const clock = await startPrimaryClock(database.db, log);
  opened.push(async () => clock.stop());
  const featureLevel = await followFeatureLevel({
    store: createFeatureLevelStore(database),
    services: service === 'all' ? LASTING_SERVICES : [service],
    log,
  });
  opened.push(async () => featureLevel.stop());
  const publisher = await wait('Kafka', () => connectPublisher(kafka, names));
  opened.push(publisher.close);
  const builtIn = createSchemaCodec(config.SCHEMA_REGISTRY_URL, config.TOPIC_PREFIX, registryAccess(config));
  await wait('schema registry', builtIn.check);
  const catalogue = await watchCatalogue(createCatalogueStore(database), log);
  opened.push(async () => catalogue.stop());
  const customCodec = createCustomCodec(
    createRegistryClient(config.SCHEMA_REGISTRY_URL, registryAccess(config)),
    config.TOPIC_PREFIX,
    builtIn,
  );
  const codec = { ...builtIn, encode: createEncode({ builtIn, custom: customCodec, catalogue }) };
  const crashBefore = createFailpoints(config.FAILPOINTS);
  const relay = startOutboxRelay({
    store: createOutboxStore(database.collections),
    publish: crashBefore('outbox.publish', createOutboxPublisher(publisher.publish, codec)),
    clock,
    log,
    claimMs: config.OUTBOX_CLAIM,
    sweepEveryMs: config.OUTBOX_SWEEP_INTERVAL,
    sweepAtLeastEveryMs: Math.max(config.OUTBOX_CLAIM, config.OUTBOX_SWEEP_INTERVAL),
  });
  opened.push(relay.stop);
  const outcomePublisher = createOutcomePublisher({ kafka, names, codec: builtIn });
  opened.push(outcomePublisher.close);
  const { publish: publishOutcomes } = outcomePublisher;
  const outcomes = config.OUTCOMES
    ? createOutcomeReporter({ publish: publishOutcomes, log, monotonicMs: () => performance.now() })
    : NO_OUTCOMES;
  const stats = createStatsCollector({
    addStats: createAddStats(database.collections),
    flushEveryMs: config.STATS_FLUSH_INTERVAL,
    log,
  });
  return {
    database,
    clock,
    clockOffsetMs: clock.offsetMs,
    featureLevel,
    kafka,
    names,
    sessionTimeoutMs: config.KAFKA_SESSION_TIMEOUT,
    partitions: checked.value,
    publish: publisher.publish,
    codec,
    customCodec,
    catalogue,
    relay,
    outcomes,
    stats,
    crashBefore,
    async close() {
      await Promise.all([relay.drain(DRAIN_MS), outcomes.close(DRAIN_MS), stats.close(DRAIN_MS)]);
      for (const cleanup of opened.toReversed()) await cleanup();
    },
  };
}
