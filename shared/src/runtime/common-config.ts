import {
  bool,
  brokers,
  duration,
  type Env,
  encryptionKeys,
  failpointSpecs,
  fraction,
  httpUrl,
  isProduction,
  mongoUri,
  optionalHttpUrl,
  otlpHeaders,
  pemFile,
  port,
  replicationFactor,
  str,
  topicPrefix,
  wholeNumber,
  withRule,
} from './config.js';

/** Logging. */
export const LOGGING = {
  LOG_LEVEL: str({
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    desc: 'Minimum level that is logged',
  }),
  LOG_PRETTY: str({
    choices: ['auto', 'true', 'false'],
    default: 'auto',
    desc: 'Human-readable log lines instead of JSON; auto: in a terminal',
  }),
};

/** The range that brokers accept by default (group.min.session.timeout.ms, group.max.session.timeout.ms). */
const session = duration({ least: '6s', most: '30m' });
const starting = duration({ least: '0s', most: '1h' });
const claim = duration({ least: '1s', most: '10m' });
const statsPause = duration({ least: '100ms', most: '10s' });
const sweepPause = duration({ least: '100ms', most: '5m' });

export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

const certificate = pemFile('CERTIFICATE');
const key = pemFile('PRIVATE KEY');
const certificateAndKey = pemFile('PRIVATE KEY');

/** Access to the database. */
export const MONGODB = {
  MONGODB_URI: mongoUri({
    desc: 'MongoDB connection string of a replica set, with the database name',
    example: 'mongodb://mongo-0,mongo-1,mongo-2/postrider?replicaSet=rs0',
  }),
  MONGODB_TLS_CA_FILE: certificate({
    default: undefined,
    desc: 'PEM file with the certificate authorities of the database; turns TLS on',
  }),
  MONGODB_TLS_CERT_FILE: certificateAndKey({
    default: undefined,
    desc: "PEM file with this client's certificate and key for the database; turns TLS on",
  }),
};

const given = (name: string) => (env: Env) => env[name] !== undefined;

const TLS_FILES = ['KAFKA_TLS_CA_FILE', 'KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'];

/** TLS and authentication of the broker. */
const KAFKA_SECURITY = {
  KAFKA_TLS: withRule(
    bool({
      default: undefined,
      requiredWhen: (env: Env) => TLS_FILES.some((name) => given(name)(env)),
      desc: 'Use TLS for connections to the brokers',
    }),
    (env) => {
      const file = TLS_FILES.find((name) => given(name)(env));
      return env.KAFKA_TLS === false && file !== undefined
        ? `is false, but ${file} is set: turn it on or remove the file`
        : null;
    },
  ),
  KAFKA_TLS_CA_FILE: certificate({
    default: undefined,
    desc: 'PEM file with the certificate authorities of the brokers; default: those that Node trusts',
  }),
  KAFKA_TLS_CERT_FILE: certificate({
    default: undefined,
    requiredWhen: given('KAFKA_TLS_KEY_FILE'),
    desc: "PEM file with this client's certificate for the brokers",
  }),
  KAFKA_TLS_KEY_FILE: key({
    default: undefined,
    requiredWhen: given('KAFKA_TLS_CERT_FILE'),
    desc: 'PEM file with the key of that certificate',
  }),
  KAFKA_SASL_MECHANISM: str({
    choices: SASL_MECHANISMS,
    default: undefined,
    requiredWhen: given('KAFKA_SASL_USERNAME'),
    desc: `SASL mechanism of the login to the brokers: ${SASL_MECHANISMS.join(', ')}; without it there is no login`,
  }),
  KAFKA_SASL_USERNAME: str({
    default: undefined,
    requiredWhen: given('KAFKA_SASL_MECHANISM'),
    desc: 'User name of the login to the brokers',
  }),
  KAFKA_SASL_PASSWORD: str({
    default: undefined,
    requiredWhen: given('KAFKA_SASL_MECHANISM'),
    desc: 'Password of the login to the brokers',
  }),
};

const REGISTRY_SECURITY = {
  SCHEMA_REGISTRY_USERNAME: str({
    default: undefined,
    requiredWhen: given('SCHEMA_REGISTRY_PASSWORD'),
    desc: 'User name for HTTP basic authentication at the registry; without it there is no login',
  }),
  SCHEMA_REGISTRY_PASSWORD: str({
    default: undefined,
    requiredWhen: given('SCHEMA_REGISTRY_USERNAME'),
    desc: 'Password of the login to the registry',
  }),
  SCHEMA_REGISTRY_CA_FILE: withRule(
    certificate({
      default: undefined,
      desc: 'PEM file with the certificate authorities of the registry; default: those that Node trusts',
    }),
    (env) =>
      given('SCHEMA_REGISTRY_CA_FILE')(env) && /^http:/i.test(String(env.SCHEMA_REGISTRY_URL))
        ? 'is set, but SCHEMA_REGISTRY_URL is an http:// URL, which does not use a certificate'
        : null,
  ),
};

/** Access to the broker and the schema registry. */
export const KAFKA = {
  KAFKA_BROKERS: brokers({ desc: 'Kafka bootstrap brokers', example: 'kafka-0:9092,kafka-1:9092' }),
  SCHEMA_REGISTRY_URL: httpUrl({
    desc: 'Confluent-compatible schema registry',
    example: 'http://schema-registry:8081',
  }),
  KAFKA_SESSION_TIMEOUT: session({
    default: 30_000,
    desc: 'Session timeout of consumer groups: how long partitions of a killed process are not consumed',
  }),
  TOPIC_PREFIX: topicPrefix({ default: '', desc: 'Prefix of all topic and consumer group names' }),
  ...KAFKA_SECURITY,
  ...REGISTRY_SECURITY,
};

/** The shape of topics that a migration creates. */
export const TOPICS = {
  TOPIC_PARTITIONS: wholeNumber(1)({
    default: 12,
    desc: 'Partitions of created topics; existing topics are not changed',
  }),
  TOPIC_REPLICATION_FACTOR: replicationFactor({
    default: -1,
    desc: "Replication factor of created topics, which get min.insync.replicas=2 from 3 on; -1 is the broker's default for both",
  }),
};

/** The event types that a migration applies. */
export const CATALOGUE = {
  EVENT_CATALOGUE_FILE: str({
    default: undefined,
    desc: 'Catalogue file of custom event types, YAML or JSON, that "admin migrate" applies',
  }),
};

/** Waiting for dependencies at the start. */
export const START = {
  START_TIMEOUT: starting({
    default: 60_000,
    desc: 'How long a start waits for broker, database and registry in total',
  }),
};

/** Listening addresses. */
export const LISTENING = {
  HOST: str({ default: '0.0.0.0', desc: 'Address to listen on' }),
  METRICS_PORT: port({ default: 9_464, desc: 'Port of /metrics; 0 chooses a free one' }),
};

/** Liveness of processes that keep running. */
export const LIVENESS = {
  LIVENESS_PORT: port({
    default: undefined,
    desc: 'Port of a /healthz that a thread of its own serves, also while the process is overloaded; 0 chooses a free one; by default none',
  }),
};

export const HEALTH = {
  ...LIVENESS,
  HEALTH_PORT: port({ default: 8081, desc: 'Port of /healthz and /readyz' }),
};

export const ENCRYPTION = {
  ENCRYPTION_KEYS: encryptionKeys({
    desc: 'Keys for secrets at rest, id:base64 of 32 bytes; the first key encrypts, all keys decrypt',
    example: 'k1:$(openssl rand -base64 32)',
  }),
};

export const OUTBOX = {
  OUTBOX_CLAIM: claim({ default: 15_000, desc: 'How long outbox records are reserved for their writer' }),
  OUTBOX_SWEEP_INTERVAL: sweepPause({
    default: 2_000,
    desc: 'Shortest pause between two sweeps of the outbox; without records it is OUTBOX_CLAIM',
  }),
};

/** The topic that shows what happens to deliveries. */
export const OUTCOMES = {
  OUTCOMES: bool({
    default: true,
    desc: 'Publish what happens to deliveries to webhook.outcomes; without it there are no streams',
  }),
};

/** The hourly counts of deliveries. */
export const STATS = {
  STATS_FLUSH_INTERVAL: statsPause({
    default: 5_000,
    desc: 'How often the hourly counts of deliveries are stored, less often while more than 1,000 endpoints are counted; a crash loses those since the last time until the janitor recounts',
  }),
};

/** Tracing, with the standard variables of OpenTelemetry. */
export const TRACING = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalHttpUrl({
    default: '',
    desc: 'URL of the OTLP/HTTP collector for spans; empty: no tracing',
    example: 'http://otel-collector:4318',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders({
    default: {},
    desc: 'Headers for the collector, name=value, comma-separated, values URL-encoded; often a secret',
  }),
  OTEL_TRACES_SAMPLER_ARG: fraction({ default: 1, desc: 'Fraction of traces that is exported, 0 to 1' }),
};

/** Fault injection for tests. */
export const TESTING = {
  FAILPOINTS: withRule(
    failpointSpecs({
      default: [],
      desc: 'Steps before which the process kills itself, and tasks that are off (tests only; refused in production)',
    }),
    ({ FAILPOINTS }, env) =>
      isProduction(env) && Array.isArray(FAILPOINTS) && FAILPOINTS.length > 0
        ? 'is refused in production'
        : null,
  ),
};

/** The variables of every service. */
export const PLATFORM = {
  ...LOGGING,
  ...LISTENING,
  ...TRACING,
  ...MONGODB,
  ...KAFKA,
  ...START,
  ...OUTBOX,
  ...OUTCOMES,
  ...STATS,
  ...TESTING,
};
