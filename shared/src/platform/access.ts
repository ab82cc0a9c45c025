import type { SASLOptions } from 'kafkajs';
import type { KafkaAccess } from '../kafka/connect.js';
import type { RegistryAccess } from '../kafka/schema-registry.js';
import type { MongoTls } from '../mongo/connect.js';
import type { SaslMechanism } from '../runtime/common-config.js';

/** The configuration of access to the broker. The files are read already: values are PEM. */
export interface KafkaAccessConfig {
  readonly KAFKA_BROKERS: readonly string[];
  readonly KAFKA_TLS?: boolean | undefined;
  readonly KAFKA_TLS_CA_FILE?: string | undefined;
  readonly KAFKA_TLS_CERT_FILE?: string | undefined;
  readonly KAFKA_TLS_KEY_FILE?: string | undefined;
  readonly KAFKA_SASL_MECHANISM?: SaslMechanism | undefined;
  readonly KAFKA_SASL_USERNAME?: string | undefined;
  readonly KAFKA_SASL_PASSWORD?: string | undefined;
}

export interface RegistryAccessConfig {
  readonly SCHEMA_REGISTRY_USERNAME?: string | undefined;
  readonly SCHEMA_REGISTRY_PASSWORD?: string | undefined;
  readonly SCHEMA_REGISTRY_CA_FILE?: string | undefined;
}

export interface MongoAccessConfig {
  readonly MONGODB_TLS_CA_FILE?: string | undefined;
  readonly MONGODB_TLS_CERT_FILE?: string | undefined;
}

/** The brokers and the credentials for them. */
export function kafkaAccess(config: KafkaAccessConfig): KafkaAccess {
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
}: KafkaAccessConfig): SASLOptions | null {
  return mechanism === undefined ? null : { mechanism, username, password };
}

/** The credentials for the registry. */
export function registryAccess(config: RegistryAccessConfig): RegistryAccess {
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
}: MongoAccessConfig): MongoTls {
  if (ca === undefined && both === undefined) return {};
  return { tls: true, ...(ca !== undefined && { ca }), ...(both !== undefined && { cert: both, key: both }) };
}
