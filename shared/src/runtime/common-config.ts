import {
  brokers,
  duration,
  encryptionKeys,
  failpointWishes,
  fraction,
  httpUrl,
  mongoUri,
  optionalHttpUrl,
  otlpHeaders,
  port,
  str,
} from './config.js';

/** What every service is told about itself. */
export const LOGGING = {
  LOG_LEVEL: str({
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    desc: 'Least level that is logged',
  }),
  LOG_PRETTY: str({
    choices: ['auto', 'true', 'false'],
    default: 'auto',
    desc: 'Log for people instead of machines; auto does so in a terminal',
  }),
};

/** Where the database is. */
export const MONGODB = {
  MONGODB_URI: mongoUri({
    desc: 'MongoDB connection string of a replica set, with the database name',
    example: 'mongodb://mongo-0,mongo-1,mongo-2/postrider?replicaSet=rs0',
  }),
};

/** Where the broker and the schema registry are. */
export const KAFKA = {
  KAFKA_BROKERS: brokers({ desc: 'Kafka bootstrap brokers', example: 'kafka-0:9092,kafka-1:9092' }),
  SCHEMA_REGISTRY_URL: httpUrl({
    desc: 'Confluent-compatible schema registry',
    example: 'http://schema-registry:8081',
  }),
  KAFKA_SESSION_TIMEOUT: duration({
    default: 30_000,
    desc: 'How long a consumer group waits for a member that died',
  }),
  TOPIC_PREFIX: str({ default: '', desc: 'Put before every topic and consumer group name' }),
};

/** How long a start waits for what it needs. */
export const START = {
  START_TIMEOUT: duration({
    default: 60_000,
    desc: 'How long to wait for broker, database and registry at start',
  }),
};

/** Where a process listens. */
export const LISTENING = {
  HOST: str({ default: '0.0.0.0', desc: 'Address that the process listens on' }),
  METRICS_PORT: port({ default: 9_464, desc: 'Port of /metrics; 0 chooses a free one' }),
};

export const HEALTH = {
  HEALTH_PORT: port({ default: 8081, desc: 'Port of /healthz and /readyz' }),
};

export const ENCRYPTION = {
  ENCRYPTION_KEYS: encryptionKeys({
    desc: 'Keys for secrets at rest, id:base64 of 32 bytes; the first one encrypts, all of them decrypt',
    example: 'k1:$(openssl rand -base64 32)',
  }),
};

export const OUTBOX = {
  OUTBOX_CLAIM: duration({ default: 15_000, desc: 'How long a writer has its outbox records to itself' }),
  OUTBOX_SWEEP_INTERVAL: duration({ default: 2_000, desc: 'Pause between two sweeps of the outbox' }),
};

/** Spans for a collector, by the names that every OpenTelemetry program knows. */
export const TRACING = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalHttpUrl({
    default: '',
    desc: 'OTLP/HTTP collector that spans are sent to; empty: no tracing',
    example: 'http://otel-collector:4318',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders({
    default: {},
    desc: 'Headers for the collector, name=value, comma-separated, values URL-encoded; often a secret',
  }),
  OTEL_TRACES_SAMPLER_ARG: fraction({ default: 1, desc: 'Part of all traces that is sent, 0 to 1' }),
};

/** Every service's own death, on request of a test. */
export const TESTING = {
  FAILPOINTS: failpointWishes({
    default: [],
    desc: 'Where the process kills itself (tests only; refused in production)',
  }),
};

/** What every service needs to stand on the platform. */
export const PLATFORM = {
  ...LOGGING,
  ...LISTENING,
  ...TRACING,
  ...MONGODB,
  ...KAFKA,
  ...START,
  ...OUTBOX,
  ...TESTING,
};
