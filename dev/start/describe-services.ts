import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ProviderName, Stack } from '../stack/stack.js';
import { PATHS } from './paths.js';

export interface ServiceContext {
  readonly stack: Pick<Stack, 'kafkaBrokers' | 'mongodbUri' | 'schemaRegistryUrl'>;
  readonly apiPort: number;
  readonly retryStep: string;
  readonly encryptionKeys: string;
}

/** Enough for several consumers, and few enough to keep an idle broker idle. */
const TOPIC_PARTITIONS = '4';

/**
 * The environment of every service and of the admin commands: a superset of what each reads. Deliveries may go to this
 * machine over plain HTTP, because that is where the demo's receiver is.
 */
export function serviceEnvironment(context: ServiceContext, inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    TOPIC_PARTITIONS,
    LOG_LEVEL: 'info',
    NODE_COMPILE_CACHE: PATHS.compileCache,
    ...inherited,
    KAFKA_BROKERS: context.stack.kafkaBrokers.join(','),
    MONGODB_URI: context.stack.mongodbUri,
    SCHEMA_REGISTRY_URL: context.stack.schemaRegistryUrl,
    HOST: '127.0.0.1',
    PORT: String(context.apiPort),
    HEALTH_PORT: '0',
    METRICS_PORT: '0',
    ENCRYPTION_KEYS: context.encryptionKeys,
    RETRY_STEP: context.retryStep,
    ALLOW_HTTP_WEBHOOKS: 'true',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_PRETTY: 'false',
  };
}

interface Data {
  readonly provider: ProviderName;
  /** Whether data of servers that the run starts is kept. */
  readonly keep: boolean;
  readonly inherited: NodeJS.ProcessEnv;
}

/**
 * The keys for secrets at rest. Data can only be read with the key that wrote it, so the key of data that outlives the run is
 * stored in a file, unless the user of external servers has set their keys.
 */
export function encryptionKeys({ provider, keep, inherited }: Data, paths: KeyPaths = PATHS): string {
  if (provider === 'external')
    return inherited.ENCRYPTION_KEYS?.trim() || storedKeys(paths.externalEncryptionKeys);
  return keep ? storedKeys(paths.encryptionKeys) : newKeys();
}

type KeyPaths = Pick<typeof PATHS, 'encryptionKeys' | 'externalEncryptionKeys'>;

function storedKeys(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const keys = newKeys();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, keys, { mode: 0o600 });
  return keys;
}

function newKeys(): string {
  return `dev:${randomBytes(32).toString('base64')}`;
}
