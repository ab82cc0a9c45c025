import kafkajs from 'kafkajs';
import type { KafkaAccess, TopicShape } from './connect.js';

/** An alert is what the other side says: here, that it has something against our certificate. */
const TLS_ALERT_ABOUT_US = /\balert (?:\w+ )*(?:certificate|unknown ca)\b/i;

/**
 * What keeps the broker from serving us, with what to look at; the error itself where it says enough.
 *
 * @param access how it was spoken to. No password of it is repeated
 */
export function explainKafka(error: unknown, { brokers, ssl, sasl }: KafkaAccess): Error {
  const cause = error instanceof Error ? error : new Error(String(error));
  const reasons = reasonsOf(cause);
  const who = sasl === undefined ? 'a client without login' : `"${usernameOf(sasl)}"`;
  const at = brokers.join(', ');
  const tell = (sentence: string) => new Error(`${sentence} (${cause.message})`, { cause });
  if (reasons.includes('KafkaJSSASLAuthenticationError')) {
    return tell(
      `the broker at ${at} refuses the login of ${who} by ${sasl?.mechanism}: check KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD and KAFKA_SASL_MECHANISM`,
    );
  }
  // A topic that one may not describe looks as if it were not there.
  if (reasons.includes('MissingTopics') && sasl !== undefined) {
    return new Error(`${cause.message}, or let ${who} describe what is there`, { cause });
  }
  if (/_AUTHORIZATION_FAILED/.test(reasons)) {
    return tell(
      `the broker at ${at} does not let ${who} do this: grant it Create, Describe, DescribeConfigs, Read and Write on the topics, and Read on the groups`,
    );
  }
  if (ssl !== undefined && TLS_ALERT_ABOUT_US.test(reasons)) {
    return tell(
      ssl.cert === undefined
        ? `the broker at ${at} wants a certificate of its clients: give it KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE`
        : `the broker at ${at} does not trust the certificate of this client: check KAFKA_TLS_CERT_FILE`,
    );
  }
  if (ssl !== undefined && /certificate|CERT_|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/i.test(reasons))
    return tell(`the certificate of the broker at ${at} is not trusted: check KAFKA_TLS_CA_FILE`);
  if (ssl !== undefined && /before secure TLS connection|WRONG_VERSION|EPROTO|packet length/i.test(reasons))
    return tell(`the broker at ${at} does not speak TLS: check its port and KAFKA_TLS`);
  if (/closed connection|ECONNRESET|Connection timeout|Closed connection/i.test(reasons))
    return tell(
      `the broker at ${at} ends the connection: check its port, KAFKA_TLS and KAFKA_SASL_MECHANISM against its listener`,
    );
  return cause;
}

/** The client's error about one topic, which its types leave out. */
interface Refused extends Error {
  readonly topic: string;
  readonly type: string;
}

const isRefusal = (error: Error | string): error is Refused =>
  error instanceof Error && 'topic' in error && 'type' in error;

/**
 * Why topics could not be created, each with the broker's reason: the client itself only says that some could not be.
 *
 * @param shape what was asked for
 */
export function explainCreation(error: unknown, { partitions, replicationFactor }: TopicShape): unknown {
  if (!(error instanceof kafkajs.KafkaJSAggregateError)) return error;
  const refused = error.errors.filter(isRefusal).filter(({ type }) => type !== 'TOPIC_ALREADY_EXISTS');
  const hints: Readonly<Record<string, string>> = {
    INVALID_REPLICATION_FACTOR: `; ${replicationFactor} copies need as many brokers: change TOPIC_REPLICATION_FACTOR (topics.replicationFactor of the chart)`,
    INVALID_PARTITIONS: `; ${partitions} were asked for: change TOPIC_PARTITIONS (topics.partitions of the chart)`,
  };
  const reasons = Map.groupBy(refused, ({ type, message }) => `${message} (${type})${hints[type] ?? ''}`);
  const told = [...reasons].map(
    ([reason, topics]) => `${topics.map(({ topic }) => topic).join(', ')}: ${reason}`,
  );
  return new Error(`the broker did not create ${told.join('; nor ')}`, { cause: error });
}

/** Names, codes and messages of an error and its causes, in one text. */
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
