import { randomBytes } from 'node:crypto';
import { createKafkaClient } from '@postrider/shared/kafka/connect';
import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { migrate } from '@postrider/shared/platform/migrate';
import { createLog, type Logger } from '@postrider/shared/runtime/log';
import type { EncryptionKey } from '@postrider/shared/runtime/secret-box';
import type { Kafka } from 'kafkajs';
import type { Servers } from './servers.js';

/** The variables that say where everything is. */
export type Addresses = Readonly<
  Record<'KAFKA_BROKERS' | 'MONGODB_URI' | 'SCHEMA_REGISTRY_URL' | 'TOPIC_PREFIX', string>
>;

/** A database and topics for one measurement alone, migrated. */
export interface World {
  /** What a service has to be told to work in it; otherwise services run with their defaults. */
  readonly env: Addresses & Readonly<Record<string, string>>;
  /** Seals the secrets of the endpoints. */
  readonly encryptionKey: EncryptionKey;
  readonly database: Database;
  readonly kafka: Kafka;
  readonly log: Logger;
  /** Drops the database and the topics. */
  destroy(): Promise<void>;
}

export async function openWorld(servers: Servers, partitions: number): Promise<World> {
  const id = randomBytes(4).toString('hex');
  const uri = new URL(servers.mongodbUri);
  uri.pathname = `/bench_${id}`;
  const topicPrefix = `bench${id}.`;
  const log = createLog({ service: 'bench', level: 'error', pretty: true });
  const encryptionKey = { id: 'bench', key: randomBytes(32) };
  const shape = { partitions, replicationFactor: 1 };
  const addresses = {
    KAFKA_BROKERS: [...servers.brokers],
    MONGODB_URI: uri.href,
    SCHEMA_REGISTRY_URL: servers.registryUrl,
    TOPIC_PREFIX: topicPrefix,
  };
  await migrate({ ...addresses, START_TIMEOUT: 30_000, ...shape }, log);
  const database = await connectMongo(uri.href, 'bench');
  const kafka = createKafkaClient({ brokers: servers.brokers, service: 'bench', log });
  return {
    env: {
      ...addresses,
      KAFKA_BROKERS: servers.brokers.join(','),
      ENCRYPTION_KEYS: `${encryptionKey.id}:${encryptionKey.key.toString('base64')}`,
      ALLOW_HTTP_WEBHOOKS: 'true',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      HOST: '127.0.0.1',
    },
    encryptionKey,
    database,
    kafka,
    log,
    async destroy() {
      await database.db.dropDatabase();
      await database.close();
      await deleteTopics(kafka, topicPrefix);
    },
  };
}

async function deleteTopics(kafka: Kafka, prefix: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    await admin.deleteTopics({ topics });
  } finally {
    await admin.disconnect();
  }
}
