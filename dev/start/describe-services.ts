import type { Stack } from '../stack/stack.js';
import { PLACES } from './places.js';

export interface Surroundings {
  readonly stack: Pick<Stack, 'kafkaBrokers' | 'mongodbUri' | 'schemaRegistryUrl'>;
  readonly apiPort: number;
  readonly retryStep: string;
  readonly encryptionKeys: string;
}

/** Enough for several consumers, and few enough for an idle broker to rest. */
const TOPIC_PARTITIONS = '4';

/**
 * The environment of every service and of the admin commands: a superset of what each reads. Deliveries may go to this
 * machine over plain HTTP, because that is where the demo's receiver is.
 */
export function serviceEnvironment(around: Surroundings, inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    TOPIC_PARTITIONS,
    LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: PLACES.compileCache,
    ...inherited,
    KAFKA_BROKERS: around.stack.kafkaBrokers.join(','),
    MONGODB_URI: around.stack.mongodbUri,
    SCHEMA_REGISTRY_URL: around.stack.schemaRegistryUrl,
    HOST: '127.0.0.1',
    PORT: String(around.apiPort),
    HEALTH_PORT: '0',
    METRICS_PORT: '0',
    ENCRYPTION_KEYS: around.encryptionKeys,
    RETRY_STEP: around.retryStep,
    ALLOW_HTTP_WEBHOOKS: 'true',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_PRETTY: 'false',
  };
}
