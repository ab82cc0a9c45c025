import type { SASLOptions } from 'kafkajs';
import type { KafkaAccess } from '../kafka/connect.js';
import type { RegistryAccess } from '../kafka/schema-registry.js';
import type { MongoTls } from '../mongo/connect.js';
import type { CleanedEnv } from '../runtime/config.js';
import type { KAFKA, MONGODB } from './access-config.js';

/** The configuration of access to the servers. The files are read already: values are PEM. */
export type AccessConfig = Pick<CleanedEnv<typeof KAFKA>, 'KAFKA_BROKERS'> &
  Partial<CleanedEnv<typeof KAFKA & typeof MONGODB>>;

/** The brokers and the credentials for them. */
export function kafkaAccess(config: AccessConfig): KafkaAccess {
  const { KAFKA_TLS_CA_FILE: ca, KAFKA_TLS_CERT_FILE: cert, KAFKA_TLS_KEY_FILE: key } = config;
  const sasl = saslOf(config);
  return {
    brokers: config.KAFKA_BROKERS,
    ...(config.KAFKA_TLS === true && { ssl: { ...(ca && { ca }), ...(cert && key && { cert, key }) } }),
    ...(sasl && { sasl }),
  };
}

function saslOf({
  KAFKA_SASL_MECHANISM: mechanism,
  KAFKA_SASL_USERNAME: username = '',
  KAFKA_SASL_PASSWORD: password = '',
}: AccessConfig): SASLOptions | null {
  return mechanism === undefined ? null : { mechanism, username, password };
}

/** The credentials for the registry. */
export function registryAccess(config: AccessConfig): RegistryAccess {
  const {
    SCHEMA_REGISTRY_USERNAME: username,
    SCHEMA_REGISTRY_PASSWORD: password = '',
    SCHEMA_REGISTRY_CA_FILE: ca,
  } = config;
  return { ...(username !== undefined && { auth: { username, password } }), ...(ca !== undefined && { ca }) };
}

/** The TLS options of the database, in addition to its connection string. */
export function mongoTls({
  MONGODB_TLS_CA_FILE: ca,
  MONGODB_TLS_CERT_FILE: both,
}: Partial<AccessConfig>): MongoTls {
  if (ca === undefined && both === undefined) return {};
  return { tls: true, ...(ca !== undefined && { ca }), ...(both !== undefined && { cert: both, key: both }) };
}
