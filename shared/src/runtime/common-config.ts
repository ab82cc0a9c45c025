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

/** What brokers take unless they are told otherwise (group.min.session.timeout.ms and its like). */
const session = duration({ least: '6s', most: '30m' });
const starting = duration({ least: '0s', most: '1h' });
const claim = duration({ least: '1s', most: '10m' });
const sweepPause = duration({ least: '100ms', most: '5m' });

export const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
export type SaslMechanism = (typeof SASL_MECHANISMS)[number];

const certificate = pemFile('CERTIFICATE');
const key = pemFile('PRIVATE KEY');
const certificateAndKey = pemFile('PRIVATE KEY');

/** Where the database is. */
export const MONGODB = {
  MONGODB_URI: mongoUri({
    desc: 'MongoDB connection string of a replica set, with the database name',
    example: 'mongodb://mongo-0,mongo-1,mongo-2/postrider?replicaSet=rs0',
  }),
  MONGODB_TLS_CA_FILE: certificate({
    default: undefined,
    desc: 'PEM file with the authorities that vouch for the database; turns TLS on',
  }),
  MONGODB_TLS_CERT_FILE: certificateAndKey({
    default: undefined,
    desc: "PEM file with this client's certificate and key for the database; turns TLS on",
  }),
};

const given = (name: string) => (env: Env) => env[name] !== undefined;

const TLS_FILES = ['KAFKA_TLS_CA_FILE', 'KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'];

/** How the broker knows us, and we the broker. */
const KAFKA_SECURITY = {
  KAFKA_TLS: withRule(
    bool({
      default: undefined,
      requiredWhen: (env: Env) => TLS_FILES.some((name) => given(name)(env)),
      desc: 'Speak TLS to the brokers',
    }),
    (env) => {
      const file = TLS_FILES.find((name) => given(name)(env));
      return env.KAFKA_TLS === false && file !== undefined
        ? `is false, but ${file} is given: turn it on, or take the file away`
        : null;
    },
  ),
  KAFKA_TLS_CA_FILE: certificate({
    default: undefined,
    desc: 'PEM file with the authorities that vouch for the brokers; without it the usual ones do',
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
    desc: `How to log in to the brokers: ${SASL_MECHANISMS.join(', ')}; without it there is no login`,
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
    desc: 'User name of the login (basic) to the registry; without it there is no login',
  }),
  SCHEMA_REGISTRY_PASSWORD: str({
    default: undefined,
    requiredWhen: given('SCHEMA_REGISTRY_USERNAME'),
    desc: 'Password of the login to the registry',
  }),
  SCHEMA_REGISTRY_CA_FILE: withRule(
    certificate({
      default: undefined,
      desc: 'PEM file with the authorities that vouch for the registry; without it the usual ones do',
    }),
    (env) =>
      given('SCHEMA_REGISTRY_CA_FILE')(env) && /^http:/i.test(String(env.SCHEMA_REGISTRY_URL))
        ? 'is given, but SCHEMA_REGISTRY_URL is an http:// address, which shows no certificate'
        : null,
  ),
};

/** Where the broker and the schema registry are. */
export const KAFKA = {
  KAFKA_BROKERS: brokers({ desc: 'Kafka bootstrap brokers', example: 'kafka-0:9092,kafka-1:9092' }),
  SCHEMA_REGISTRY_URL: httpUrl({
    desc: 'Confluent-compatible schema registry',
    example: 'http://schema-registry:8081',
  }),
  KAFKA_SESSION_TIMEOUT: session({
    default: 30_000,
    desc: 'How long a consumer group waits for a member that died',
  }),
  TOPIC_PREFIX: topicPrefix({ default: '', desc: 'Put before every topic and consumer group name' }),
  ...KAFKA_SECURITY,
  ...REGISTRY_SECURITY,
};

/** What a migration makes of topics that are not there yet. */
export const TOPICS = {
  TOPIC_PARTITIONS: wholeNumber(1)({
    default: 12,
    desc: 'Partitions of topics that are created; those that are there stay as they are',
  }),
  TOPIC_REPLICATION_FACTOR: replicationFactor({
    default: -1,
    desc: "Copies of topics that are created; -1 is the broker's default",
  }),
};

/** How long a start waits for what it needs. */
export const START = {
  START_TIMEOUT: starting({
    default: 60_000,
    desc: 'How long a start waits for broker, database and registry in all',
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
  OUTBOX_CLAIM: claim({ default: 15_000, desc: 'How long a writer has its outbox records to itself' }),
  OUTBOX_SWEEP_INTERVAL: sweepPause({ default: 2_000, desc: 'Pause between two sweeps of the outbox' }),
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

/** What a test may do to a service from within. */
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
