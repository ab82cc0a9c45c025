import { randomBytes } from 'node:crypto';
import { createKafkaClient } from '@postrider/shared/kafka/connect';
import { connectMongo } from '@postrider/shared/mongo/connect';
import { migrate } from '@postrider/shared/platform/migrate';
import { createLog } from '@postrider/shared/runtime/log';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import type { Context } from '../scenario.js';

export type Namespace = Awaited<ReturnType<typeof createNamespace>>;

/** Of each delivery topic. */
const PARTITIONS = 12;

/** Creates a migrated database and topics that only one measurement uses. */
export async function createNamespace({ servers }: Context) {
  const id = randomBytes(4).toString('hex');
  const uri = new URL(servers.mongodbUri);
  uri.pathname = `/bench_${id}`;
  const topicPrefix = `bench${id}.`;
  const log = createLog({ service: 'bench', level: 'error', pretty: true });
  const encryptionKey = { id: 'bench', key: randomBytes(32) };
  const addresses = {
    KAFKA_BROKERS: [...servers.brokers],
    MONGODB_URI: uri.href,
    SCHEMA_REGISTRY_URL: servers.registryUrl,
    TOPIC_PREFIX: topicPrefix,
  };
  await migrate({ ...addresses, START_TIMEOUT: 30_000, partitions: PARTITIONS, replicationFactor: 1 }, log);
  const database = await connectMongo(uri.href, 'bench');
  return {
    /** Configuration of services that use it; everything else keeps its default. */
    env: {
      ...addresses,
      KAFKA_BROKERS: servers.brokers.join(','),
      ENCRYPTION_KEYS: `${encryptionKey.id}:${encryptionKey.key.toString('base64')}`,
      ALLOW_HTTP_WEBHOOKS: 'true',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      HOST: '127.0.0.1',
    },
    /** Seals the secrets of the endpoints. */
    sealing: createSecretBox([encryptionKey]),
    database,
    /** Removes the database and the topics. */
    async drop(): Promise<void> {
      await database.db.dropDatabase();
      await database.close();
      const admin = createKafkaClient({ brokers: servers.brokers, service: 'bench', log }).admin();
      await admin.connect();
      try {
        const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(topicPrefix));
        await admin.deleteTopics({ topics });
      } finally {
        await admin.disconnect();
      }
    },
  };
}
