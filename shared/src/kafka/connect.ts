import kafkajs, { type Kafka, type logLevel as LogLevel } from 'kafkajs';
import type { Log } from '../ports/log.js';
import { registerCodecs } from './compression.js';

const { logLevel } = kafkajs;

interface KafkaOptions {
  readonly brokers: readonly string[];
  readonly service: string;
  readonly log: Log;
}

/** The Kafka client of a process. Nothing is connected yet. */
export function kafkaClient({ brokers, service, log }: KafkaOptions): Kafka {
  registerCodecs();
  return new kafkajs.Kafka({
    clientId: service,
    brokers: [...brokers],
    connectionTimeout: 5_000,
    requestTimeout: 30_000,
    retry: { initialRetryTime: 100, maxRetryTime: 5_000, retries: 8 },
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
    const { message, timestamp, logger, ...facts } = entry;
    const write = level <= logLevel.WARN ? log.warn.bind(log) : log.debug.bind(log);
    write({ event: 'kafka.client', namespace, ...facts }, String(message));
  };
}
