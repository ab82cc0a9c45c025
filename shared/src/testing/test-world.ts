import { randomBytes } from 'node:crypto';
import type { Kafka } from 'kafkajs';
import { createKafkaClient } from '../kafka/connect.js';
import { createTopicNames, type TopicNames } from '../kafka/topic-names.js';
import { connectMongo, type Database } from '../mongo/connect.js';
import { KAFKA, MONGODB } from '../platform/access-config.js';
import { migrate } from '../platform/migrate.js';
import { readConfig } from '../runtime/config.js';
import { createLog, type Logger } from '../runtime/log.js';

/** Real servers with a separate database and topic prefix for one test file. */
export interface TestWorld {
  /** The environment of a service in this world. */
  readonly env: Readonly<Record<string, string>>;
  readonly database: Database;
  readonly kafka: Kafka;
  readonly names: TopicNames;
  readonly log: Logger;
  /** Drops the database and the topics. */
  destroy(): Promise<void>;
}

const PARTITIONS = 2;

/**
 * Migrates a new database and new topics on the servers in KAFKA_BROKERS, MONGODB_URI and SCHEMA_REGISTRY_URL, which
 * `npm test` starts.
 */
export async function testWorld(): Promise<TestWorld> {
  const id = randomBytes(4).toString('hex');
  const uri = new URL(needed('MONGODB_URI'));
  uri.pathname = `/test_${id}`;
  const env = {
    KAFKA_BROKERS: needed('KAFKA_BROKERS'),
    MONGODB_URI: uri.href,
    SCHEMA_REGISTRY_URL: needed('SCHEMA_REGISTRY_URL'),
    TOPIC_PREFIX: `t${id}.`,
    ENCRYPTION_KEYS: `test:${Buffer.alloc(32, id).toString('base64')}`,
    ALLOW_HTTP_WEBHOOKS: 'true',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    HOST: '127.0.0.1',
    PORT: '0',
    HEALTH_PORT: '0',
    METRICS_PORT: '0',
    RETRY_STEP: '100ms',
    KAFKA_SESSION_TIMEOUT: '6s',
    CONFORMANCE_POLL_INTERVAL: '100ms',
    OUTBOX_CLAIM: '2s',
    OUTBOX_SWEEP_INTERVAL: '200ms',
    STATS_FLUSH_INTERVAL: '200ms',
    RATE_LIMIT_REST_READ: '1000000',
    RATE_LIMIT_REST_WRITE: '1000000',
    RATE_LIMIT_MCP: '1000000',
    RATE_LIMIT_ASSISTANT: '1000000',
  };
  const log = createLog({ service: 'test', level: process.env.TEST_LOG_LEVEL ?? 'silent', pretty: true });
  const names = createTopicNames(env.TOPIC_PREFIX);
  const kafka = createKafkaClient({ brokers: env.KAFKA_BROKERS.split(','), service: 'test', log });
  await migrate(
    {
      ...readConfig(env, { ...MONGODB, ...KAFKA }),
      START_TIMEOUT: 30_000,
      partitions: PARTITIONS,
      replicationFactor: 1,
    },
    log,
  );
  const database = await connectMongo(env.MONGODB_URI, 'test');
  return {
    env,
    database,
    kafka,
    names,
    log,
    async destroy() {
      await database.db.dropDatabase();
      await database.close();
      const admin = kafka.admin();
      await admin.connect();
      const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(env.TOPIC_PREFIX));
      await admin.deleteTopics({ topics });
      await admin.disconnect();
    },
  };
}

function needed(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is not set: run the tests with "npm test", which starts the servers`);
  return value;
}
