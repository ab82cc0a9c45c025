import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKafkaClient } from '@postrider/shared/kafka/connect';
import { createLog } from '@postrider/shared/runtime/log';
import type { Kafka } from 'kafkajs';
import { type Db, MongoClient } from 'mongodb';
import { runAdmin } from '#dev/start/run-admin';
import { type ApiClient, apiClient } from '../load/api-client.js';
import { type Generator, generator } from '../load/generator.js';
import { type LoadedEndpoint, openPopulation } from '../load/population.js';
import { type Receiver, startReceiver } from '../load/receiver.js';
import type { AcceptedSend } from '../oracle/evidence.js';
import type { Random } from '../random.js';
import type { Link } from './link.js';
import { type Processes, processes } from './processes.js';
import type { Servers } from './servers.js';

/** The whole system in names of its own on servers that others use before and after. */
export interface World {
  readonly servers: Servers;
  readonly processes: Processes;
  readonly client: ApiClient;
  readonly receiver: Receiver;
  readonly load: Generator;
  /** The endpoints that have a name in circumstances: whoever opens more adds them. */
  readonly endpoints: LoadedEndpoint[];
  /** Replays and tests that were accepted: whoever makes them adds them. */
  readonly sends: AcceptedSend[];
  readonly mongo: MongoClient;
  readonly db: Db;
  /** A client past all links. */
  readonly kafka: Kafka;
  readonly topicPrefix: string;
  /** A service's environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of the dispatchers alone: their own wires. */
  readonly linked: Readonly<Record<string, string>>;
  readonly random: Random;
  readonly directory: string;
  say(line: string): void;
  /** Ends the services and drops what is in the servers. */
  close(outcome: 'green' | 'red'): Promise<void>;
}

export interface WorldPlan {
  readonly servers: Servers;
  readonly random: Random;
  readonly say: (line: string) => void;
  /** Variables that differ from the run's usual ones. */
  readonly settings: (directory: string) => Readonly<Record<string, string>>;
  /** The retry step. */
  readonly stepMs: number;
  /** Dispatchers that are there from the start. */
  readonly dispatchers: number;
  readonly nodeArgs: readonly string[];
  /** Who reaches the servers over links that can be cut? */
  readonly linked: 'nobody' | 'dispatchers' | 'all';
}

/** The usual retry step. */
export const STEP_MS = 500;
/** POSTs that one dispatcher has in flight at most. */
const IN_FLIGHT = 128;
/** Answered POSTs that wait for their commit before a dispatcher begins no other (its limits say so). */
const MAX_UNSETTLED = 1_024;
/**
 * What is lost to a dispatcher that ends is all that it has begun and not recorded. It begins nothing once the
 * unsettled are that many, and what is in flight then still adds to them.
 */
export const MOST_OPEN = IN_FLIGHT + MAX_UNSETTLED;
const DELIVERY_TIMEOUT_S = 3;
const BODY_TIMEOUT_S = 1;
export const POST_TIMEOUT_MS = (DELIVERY_TIMEOUT_S + BODY_TIMEOUT_S) * 1_000;
const WORKSPACE = 'faults';
const PARTITIONS = 4;

const SETTINGS = {
  LOG_LEVEL: 'info',
  TOPIC_PARTITIONS: String(PARTITIONS),
  TOPIC_REPLICATION_FACTOR: '1',
  ALLOW_HTTP_WEBHOOKS: 'true',
  EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  HOST: '127.0.0.1',
  PORT: '0',
  HEALTH_PORT: '0',
  METRICS_PORT: '0',
  DELIVERY_TIMEOUT: `${DELIVERY_TIMEOUT_S}s`,
  BODY_TIMEOUT: `${BODY_TIMEOUT_S}s`,
  MAX_IN_FLIGHT: String(IN_FLIGHT),
  KAFKA_SESSION_TIMEOUT: '6s',
  OUTBOX_CLAIM: '3s',
  OUTBOX_SWEEP_INTERVAL: '500ms',
  RATE_LIMIT_REST_READ: '10000000',
  RATE_LIMIT_REST_WRITE: '10000000',
};

export async function openWorld(plan: WorldPlan): Promise<World> {
  const { servers, random, say } = plan;
  const directory = mkdtempSync(join(tmpdir(), 'postrider-faults-'));
  mkdirSync(join(directory, 'logs'));
  const { env, linked } = environmentOf(plan, directory);
  const token = await openWorkspace(env);
  const services = processes({ env, directory: join(directory, 'logs'), say });
  const dispatchers = Array.from({ length: plan.dispatchers }, () =>
    services.start('dispatcher', { env: () => linked, nodeArgs: plan.nodeArgs }),
  );
  await Promise.all([services.start('api'), services.start('dlq-consumer'), ...dispatchers]);
  const receiver = await startReceiver(random.between(0, 2 ** 31));
  const ports = () => services.of('api').map((api) => api.port());
  const client = apiClient({ workspace: WORKSPACE, token, ports });
  const endpoints = [...(await openPopulation({ client, receiver }, random))];
  const mongo = await connectPastLinks(servers, databaseOf(env));
  const log = createLog({ service: 'faults', level: 'silent', pretty: false });
  const kafka = createKafkaClient({ brokers: [servers.broker], service: 'faults', log });
  return {
    servers,
    processes: services,
    client,
    receiver,
    load: generator(client),
    endpoints,
    sends: [],
    mongo,
    db: mongo.db(),
    kafka,
    topicPrefix: env.TOPIC_PREFIX,
    env,
    linked,
    random,
    directory,
    say,
    async close(outcome) {
      await services.stop();
      await receiver.close();
      await mongo.db().dropDatabase();
      await mongo.close();
      await dropTopics(kafka, env.TOPIC_PREFIX);
      if (outcome === 'green') rmSync(directory, { recursive: true });
    },
  };
}

const mongoUri = (port: number, database: string, way: string) =>
  `mongodb://127.0.0.1:${port}/${database}?${way}`;
const databaseOf = ({ MONGODB_URI }: { readonly MONGODB_URI: string }) =>
  new URL(MONGODB_URI).pathname.slice(1);

/** Names that no other run has, and the ways to the servers. */
function environmentOf({ servers, settings, stepMs, linked: who }: WorldPlan, directory: string) {
  const id = randomBytes(5).toString('hex');
  const database = `faults_${id}`;
  const { links, mongodPort } = servers;
  const linkedUri = (link: Link) => mongoUri(link.port, database, 'directConnection=true');
  const env = {
    ...SETTINGS,
    RETRY_STEP: `${stepMs}ms`,
    KAFKA_BROKERS: servers.broker,
    MONGODB_URI: who === 'all' ? linkedUri(links.others) : mongoUri(mongodPort, database, 'replicaSet=rs0'),
    SCHEMA_REGISTRY_URL: servers.registryUrl,
    TOPIC_PREFIX: `f${id}.`,
    ENCRYPTION_KEYS: `faults:${Buffer.alloc(32, id).toString('base64')}`,
    ...settings(directory),
  };
  const linked: Readonly<Record<string, string>> =
    who === 'nobody'
      ? {}
      : { KAFKA_BROKERS: `127.0.0.1:${links.kafka.port}`, MONGODB_URI: linkedUri(links.mongod) };
  return { env, linked };
}

/** @returns a token that may do everything in the workspace */
async function openWorkspace(env: Readonly<Record<string, string>>): Promise<string> {
  await runAdmin(['migrate'], env);
  const workspace = ['--slug', WORKSPACE, '--name', 'Faults', '--owner-email', 'owner@example.com'];
  await runAdmin(['workspace', 'create', ...workspace], env);
  const wanted = ['--workspace', WORKSPACE, '--name', 'faults', '--scopes', 'admin', '--json'];
  const made = await runAdmin(['token', 'create', ...wanted], env);
  return (JSON.parse(made) as { token: string }).token;
}

function connectPastLinks({ mongodPort }: Servers, database: string): Promise<MongoClient> {
  return MongoClient.connect(mongoUri(mongodPort, database, 'directConnection=true'), {
    serverSelectionTimeoutMS: 2_000,
    connectTimeoutMS: 2_000,
    socketTimeoutMS: 120_000,
  });
}

async function dropTopics(kafka: Kafka, prefix: string): Promise<void> {
  const client = kafka.admin();
  await client.connect();
  try {
    const topics = (await client.listTopics()).filter((topic) => topic.startsWith(prefix));
    await client.deleteTopics({ topics });
  } finally {
    await client.disconnect();
  }
}
