import { bool, type Env, str, withRule } from '../runtime/config.js';
import { brokers, duration, httpUrl, mongoUri, pemFile, topicPrefix } from '../runtime/variables.js';

/** The range that brokers accept by default (group.min.session.timeout.ms, group.max.session.timeout.ms). */
const session = duration({ least: '6s', most: '30m' });

const SASL_MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;

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
