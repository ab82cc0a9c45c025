import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKafkaClient } from '@postrider/shared/kafka/connect';
import { createLog } from '@postrider/shared/runtime/log';
import type { Admin, Kafka } from 'kafkajs';
import { type Db, MongoClient } from 'mongodb';
import { openWorkspace, runAdmin } from '#dev/start/run-admin';
import { type ApiClient, createApiClient } from '../load/api-client.js';
import { createGenerator, type Generator } from '../load/generator.js';
import { type Endpoint, openPopulation } from '../load/population.js';
import { type Receiver, startReceiver } from '../load/receiver.js';
import type { AcceptedEvent, AcceptedSend } from '../oracle/evidence.js';
import type { Random } from '../random.js';
import type { Link } from './link.js';
import type { Servers } from './servers.js';
import { createServices, type Services } from './services.js';

/** The whole system with a separate database and separate topics, and its load. */
/** When the fault began and ended, in milliseconds since the epoch; null until then. */
export interface FaultTime {
  began: number | null;
  ended: number | null;
}

export interface World {
  readonly servers: Servers;
  readonly services: Services;
  readonly client: ApiClient;
  readonly receiver: Receiver;
  readonly load: Generator;
  /** Endpoints whose paths a fault refers to. */
  readonly endpoints: Endpoint[];
  readonly time: FaultTime;
  /** Accepted events of workspaces other than the load's. */
  readonly otherEvents: AcceptedEvent[];
  /** Accepted replays and tests. */
  readonly sends: AcceptedSend[];
  readonly mongo: MongoClient;
  readonly db: Db;
  /** A client that bypasses the links. */
  readonly kafka: Kafka;
  readonly topicPrefix: string;
  /** The environment of a service. */
  readonly env: Readonly<Record<string, string>>;
  /** Additional variables of linked dispatchers. */
  readonly linked: Readonly<Record<string, string>>;
  readonly random: Random;
  readonly directory: string;
  readonly log: (line: string) => void;
  /** Stops the services and removes their data; keeps the logs unless the fault is green. */
  close(isGreen: boolean): Promise<void>;
}

/** How the world differs between faults. */
export interface WorldOptions {
  /** Dispatchers at the start; 2 by default. */
  readonly dispatchers?: number;
  /** Services that connect through the links, which can be cut. */
  readonly linked?: 'dispatchers' | 'all';
  /** Environment variables of all services. @param directory the run's own */
  readonly settings?: (directory: string) => Readonly<Record<string, string>>;
  /** Node options of the dispatchers. */
  readonly nodeArgs?: readonly string[];
  /** The retry step; `STEP_MS` by default. */
  readonly stepMs?: number;
}

export interface Run {
  readonly servers: Servers;
  readonly random: Random;
  readonly log: (line: string) => void;
}

export const STEP_MS = 500;
const MAX_IN_FLIGHT = 128;
/** A dispatcher sends no more POSTs while this many answered ones are not recorded (see its limits). */
const MAX_UNSETTLED = 1_024;
const MAX_LINGERING = 128;
/** Maximum number of POSTs sent and not recorded when a dispatcher ends. POSTs that began in time may linger above the limit. */
export const MAX_UNRECORDED = MAX_IN_FLIGHT + 2 * MAX_LINGERING + MAX_UNSETTLED;
const DELIVERY_TIMEOUT_S = 3;
const BODY_TIMEOUT_S = 1;
export const ANSWER_TIMEOUT_MS = DELIVERY_TIMEOUT_S * 1_000;
export const POST_TIMEOUT_MS = (DELIVERY_TIMEOUT_S + BODY_TIMEOUT_S) * 1_000;
const WORKSPACE = 'faults';

const SETTINGS = {
  LOG_LEVEL: 'info',
  TOPIC_PARTITIONS: '4',
  TOPIC_REPLICATION_FACTOR: '1',
  ALLOW_HTTP_WEBHOOKS: 'true',
  EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  HOST: '127.0.0.1',
  PORT: '0',
  HEALTH_PORT: '0',
  METRICS_PORT: '0',
  DELIVERY_TIMEOUT: `${DELIVERY_TIMEOUT_S}s`,
  BODY_TIMEOUT: `${BODY_TIMEOUT_S}s`,
  MAX_IN_FLIGHT: String(MAX_IN_FLIGHT),
  MAX_LINGERING: String(MAX_LINGERING),
  KAFKA_SESSION_TIMEOUT: '6s',
  OUTBOX_CLAIM: '3s',
  OUTBOX_SWEEP_INTERVAL: '500ms',
  // A long fault creates thousands of tokens.
  TOKENS_PER_WORKSPACE: '1000000',
  RATE_LIMIT_REST_READ: '10000000',
  RATE_LIMIT_REST_WRITE: '10000000',
};

export async function openWorld(options: WorldOptions, { servers, random, log }: Run): Promise<World> {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-faults-'));
  const logs = join(directory, 'logs');
  mkdirSync(logs);
  const { env, database, linked } = environmentOf(options, servers, directory);
  await runAdmin(['migrate'], env);
  const token = await openWorkspace(WORKSPACE, env);
  const services = createServices(env, logs, log);
  const { dispatchers = 2, nodeArgs = [] } = options;
  const starting = Array.from({ length: dispatchers }, () =>
    services.start('dispatcher', { env: () => linked, nodeArgs }),
  );
  await Promise.all([services.start('api'), services.start('dlq-consumer'), ...starting]);
  const receiver = await startReceiver(random.between(0, 2 ** 31));
  const ports = () => services.running('api').map((api) => api.port());
  const client = createApiClient({ workspace: WORKSPACE, token, ports });
  const endpoints = await openPopulation({ client, receiver }, random);
  const mongo = await MongoClient.connect(mongoUri(servers.mongodPort, database, 'directConnection=true'), {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 120_000,
  });
  const silent = createLog({ service: 'faults', level: 'silent', pretty: false });
  const kafka = createKafkaClient({ brokers: [servers.broker], service: 'faults', log: silent });
  return {
    servers,
    services,
    client,
    receiver,
    load: createGenerator(client),
    endpoints,
    time: { began: null, ended: null },
    otherEvents: [],
    sends: [],
    mongo,
    db: mongo.db(),
    kafka,
    topicPrefix: env.TOPIC_PREFIX,
    env,
    linked,
    random,
    directory,
    log,
    async close(isGreen) {
      await services.stopAll();
      await receiver.close();
      await mongo.db().dropDatabase();
      await mongo.close();
      await withAdmin(kafka, async (admin) => {
        const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(env.TOPIC_PREFIX));
        await admin.deleteTopics({ topics });
      });
      if (isGreen) rmSync(directory, { recursive: true });
    },
  };
}

const mongoUri = (port: number, database: string, option: string) =>
  `mongodb://127.0.0.1:${port}/${database}?${option}`;

/** The services' environment, with names that no other run uses. */
function environmentOf(options: WorldOptions, { links, ...servers }: Servers, directory: string) {
  const id = randomBytes(5).toString('hex');
  const database = `faults_${id}`;
  const linkedUri = (link: Link) => mongoUri(link.port, database, 'directConnection=true');
  const directUri = mongoUri(servers.mongodPort, database, 'replicaSet=rs0');
  const env = {
    ...SETTINGS,
    RETRY_STEP: `${options.stepMs ?? STEP_MS}ms`,
    KAFKA_BROKERS: servers.broker,
    MONGODB_URI: options.linked === 'all' ? linkedUri(links.others) : directUri,
    SCHEMA_REGISTRY_URL: servers.registryUrl,
    TOPIC_PREFIX: `f${id}.`,
    ENCRYPTION_KEYS: `faults:${Buffer.alloc(32, id).toString('base64')}`,
    ...options.settings?.(directory),
  };
  const linked: Readonly<Record<string, string>> =
    options.linked === undefined
      ? {}
      : { KAFKA_BROKERS: `127.0.0.1:${links.kafka.port}`, MONGODB_URI: linkedUri(links.mongod) };
  return { env, database, linked };
}

export async function withAdmin<T>(kafka: Kafka, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
