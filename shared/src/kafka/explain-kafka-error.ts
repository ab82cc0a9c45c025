import kafkajs, { type ITopicConfig } from 'kafkajs';
import type { KafkaAccess } from './connect.js';

/** A TLS alert from the broker about our certificate. */
const TLS_ALERT_ABOUT_US = /\balert (?:\w+ )*(?:certificate|unknown ca)\b/i;

/**
 * Explains an error of the broker and what to check. Returns the error itself if it is clear enough.
 *
 * @param access the access that was used; passwords are not repeated
 */
export function explainKafka(error: unknown, { brokers, ssl, sasl }: KafkaAccess): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  const reasons = reasonsOf(cause);
  const who = sasl === undefined ? 'a client without login' : `"${usernameOf(sasl)}"`;
  const at = brokers.join(', ');
  const explained = (sentence: string) => new Error(`${sentence} (${cause.message})`, { cause });
  if (reasons.includes('KafkaJSSASLAuthenticationError')) {
    return explained(
      `the broker at ${at} rejects the login of ${who} by ${sasl?.mechanism}: check KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD and KAFKA_SASL_MECHANISM`,
    );
  }
  // The broker reports a topic that the client may not describe as missing.
  if (reasons.includes('MissingTopics') && sasl !== undefined) {
    return new Error(`${cause.message}, or allow ${who} to describe the topics`, { cause });
  }
  if (/_AUTHORIZATION_FAILED/.test(reasons)) {
    return explained(
      `the broker at ${at} does not authorize ${who}: grant it Create, Describe, DescribeConfigs, Read and Write on the topics, and Read on the groups`,
    );
  }
  if (ssl !== undefined && TLS_ALERT_ABOUT_US.test(reasons)) {
    return explained(
      ssl.cert === undefined
        ? `the broker at ${at} requires a client certificate: set KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE`
        : `the broker at ${at} does not trust the certificate of this client: check KAFKA_TLS_CERT_FILE`,
    );
  }
  if (ssl !== undefined && /certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/i.test(reasons))
    return explained(`the certificate of the broker at ${at} is not trusted: check KAFKA_TLS_CA_FILE`);
  if (ssl !== undefined && /before secure TLS connection|WRONG_VERSION|EPROTO|packet length/i.test(reasons))
    return explained(`the broker at ${at} does not speak TLS: check its port and KAFKA_TLS`);
  if (/closed connection|ECONNRESET|Connection timeout|Closed connection/i.test(reasons))
    return explained(
      `the broker at ${at} closes the connection: check its port, KAFKA_TLS and KAFKA_SASL_MECHANISM against its listener`,
    );
  return cause;
}

/** The client's error about one topic, which its types omit. */
interface TopicError extends Error {
  readonly topic: string;
  readonly type: string;
}

/** The broker, or a policy of its operator, does not allow what was requested for a topic. */
const REFUSED_SETTINGS: ReadonlySet<string> = new Set(['POLICY_VIOLATION', 'INVALID_CONFIG']);

const isTopicError = (error: Error | string): error is TopicError =>
  error instanceof Error && 'topic' in error && 'type' in error;

/**
 * Lists the topics that could not be created with the broker's reasons. The client's own message omits them.
 *
 * @param requested the topics with what was requested for them
 */
export function explainCreation(error: unknown, requested: readonly ITopicConfig[]): unknown {
  if (!(error instanceof kafkajs.KafkaJSAggregateError)) return error;
  const failed = error.errors.filter(isTopicError).filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS');
  const configs = new Map(requested.map((config) => [config.topic, config]));
  const reasons = Map.groupBy(
    failed,
    ({ type, message, topic }) => `${message} (${type})${hintFor(type, configs.get(topic))}`,
  );
  const descriptions = [...reasons].map(
    ([reason, topics]) => `${topics.map(({ topic }) => topic).join(', ')}: ${reason}`,
  );
  return new Error(`the broker did not create ${descriptions.join('; nor ')}`, { cause: error });
}

/** What to change, for a reason of the broker not to create a topic. */
function hintFor(type: string, config: ITopicConfig | undefined): string {
  const { numPartitions, replicationFactor, configEntries = [] } = config ?? {};
  if (type === 'INVALID_REPLICATION_FACTOR')
    return `; ${replicationFactor} replicas need as many brokers: change TOPIC_REPLICATION_FACTOR (topics.replicationFactor of the chart)`;
  if (type === 'INVALID_PARTITIONS')
    return `; ${numPartitions} were requested: change TOPIC_PARTITIONS (topics.partitions of the chart)`;
  if (!REFUSED_SETTINGS.has(type)) return '';
  const settings = configEntries.map(({ name, value }) => `${name}=${value}`);
  const shape = [`${numPartitions} partitions`, `replication factor ${replicationFactor}`, ...settings].join(
    ', ',
  );
  return `; requested were ${shape}: create the topic with values that the broker allows, then run "admin migrate" again`;
}

/** The topics that were not created because of their settings. */
export function refusedSettings(error: unknown): ReadonlySet<string> {
  const errors = error instanceof kafkajs.KafkaJSAggregateError ? error.errors.filter(isTopicError) : [];
  return new Set(errors.filter(({ type }) => REFUSED_SETTINGS.has(type)).map(({ topic }) => topic));
}

/** Joins the names, codes and messages of an error and its causes. */
function reasonsOf(error: Error): string {
  const parts: string[] = [];
  for (let cause: unknown = error; cause instanceof Error && parts.length < 20; cause = cause.cause) {
    const { name, message } = cause;
    const code = 'code' in cause ? String(cause.code) : '';
    const type = 'type' in cause ? String(cause.type) : '';
    const inner =
      'errors' in cause && Array.isArray(cause.errors)
        ? cause.errors.map((one) => `${one?.type} ${one?.message}`)
        : [];
    parts.push(name, code, type, message, ...inner);
  }
  return parts.join(' ');
}

function usernameOf(sasl: object): string {
  return 'username' in sasl ? String(sasl.username) : '';
}
