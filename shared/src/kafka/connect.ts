import './quiet-request-queue.js';
import './steady-heartbeat.js';
import type { ConnectionOptions } from 'node:tls';
import kafkajs, { type Kafka, type logLevel as LogLevel, type SASLOptions } from 'kafkajs';
import type { Log } from '../ports/log.js';
import { registerCodecs } from './compression.js';

const { logLevel } = kafkajs;

/** Where the brokers are, and how they are spoken to. */
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
  /** Attempts after the first before a call fails; 8 unless given. */
  readonly retries?: number;
}

const RETRIES = 8;

/** The Kafka client of a process. Nothing is connected yet. */
export function createKafkaClient({
  brokers,
  ssl,
  sasl,
  service,
  log,
  retries = RETRIES,
}: KafkaOptions): Kafka {
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
 * The client's own words, in our log. Its errors are mostly passing faults that it retries itself; what needs a
 * person is logged by whoever notices that no retry helped.
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
