import './failed-joins.js';
import './forget-fulfilled.js';
import './hung-connections.js';
import './large-batches.js';
import './leaderless-partitions.js';
import './new-connections.js';
import './quick-produce.js';
import './quick-records.js';
import './quiet-request-queue.js';
import './skip-aborted.js';
import './steady-heartbeat.js';
import type { ConnectionOptions } from 'node:tls';
import kafkajs, { type Kafka, type logLevel as LogLevel, type SASLOptions } from 'kafkajs';
import type { Log } from '../ports/log.js';
import { registerCodecs } from './compression.js';

const { logLevel } = kafkajs;

/** The brokers and the credentials for them. */
export interface KafkaAccess {
  readonly brokers: readonly string[];
  /** Absent: no TLS. */
  readonly ssl?: ConnectionOptions;
  /** Absent: no login. */
  readonly sasl?: SASLOptions;
}

/** How topics are created. */
export interface TopicShape {
  readonly partitions: number;
  /** -1 takes the broker's default. */
  readonly replicationFactor: number;
}

export interface KafkaOptions extends KafkaAccess {
  readonly service: string;
  readonly log: Log;
  /** Retries before a call fails; 8 by default. */
  readonly retries?: number;
}

const RETRIES = 8;

/** Creates the Kafka client of a process. It opens no connection. */
export function createKafkaClient(options: KafkaOptions): Kafka {
  const { brokers, ssl, sasl, service, log, retries = RETRIES } = options;
  registerCodecs();
  return new kafkajs.Kafka({
    clientId: service,
    brokers: [...brokers],
    ...(ssl && { ssl }),
    ...(sasl && { sasl }),
    connectionTimeout: 5_000,
    requestTimeout: 30_000,
    retry: { initialRetryTime: 100, maxRetryTime: 5_000, retries },
    logLevel: logLevel.WARN,
    logCreator: () => bridge(log),
  });
}

/**
 * Writes the client's messages to our log, as warnings at most. Its errors are mostly transient and retried; callers log
 * the errors that remain after all retries.
 */
function bridge(log: Log) {
  return ({
    namespace,
    level,
    log: entry,
  }: {
    namespace: string;
    level: LogLevel;
    log: Record<string, unknown>;
  }) => {
    const { message, timestamp, logger, stack, ...facts } = entry;
    const write = level <= logLevel.WARN ? log.warn.bind(log) : log.debug.bind(log);
    write({ event: 'kafka.client', namespace, ...facts }, String(message));
  };
}
