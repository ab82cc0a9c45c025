import kafkajs, { type IHeaders, type Kafka, type PartitionerArgs, type TopicMessages } from 'kafkajs';
import { type OutgoingMessage, type Publish, RecordRefused } from '../ports/queue.js';
import { retry } from '../runtime/retry.js';
import type { EncodedRecords } from './encoded-record.js';
import { createPartitioner } from './partition-of.js';
import './quick-produce.js';
import type { TopicNames } from './topic-names.js';

export interface Publisher {
  readonly publish: Publish;
  /** As `publish`, compressed, for records whose bytes are made already. @param topic without prefix */
  publishEncoded(topic: string, records: readonly EncodedRecords[]): Promise<void>;
  close(): Promise<void>;
}

/** Protocol errors that a record causes; all others are errors of the broker or the network. */
const RECORD_FAULTS = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TIMESTAMP',
  'CORRUPT_MESSAGE',
]);
const ALL_REPLICAS = -1;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;
const MOST_TRIES = 6;
const { CompressionTypes } = kafkajs;

/** The partitions of other clients, computed faster than the library does. */
function partitionerOf() {
  const withoutKey = kafkajs.Partitioners.DefaultPartitioner();
  return (args: PartitionerArgs): number => {
    const { key } = args.message;
    return key == null ? withoutKey(args) : createPartitioner(args.partitionMetadata.length)(key);
  };
}

/**
 * Appends messages and waits for all in-sync replicas. Consumers must tolerate duplicates.
 *
 * A batch is tried again as a whole, and not by the client: its retries send nothing to a broker that has acknowledged its part
 * before, although the broker may lead further partitions by then, and report success.
 */
export async function connectPublisher(kafka: Kafka, names: TopicNames): Promise<Publisher> {
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: partitionerOf,
    retry: { retries: 0 },
  });
  await producer.connect();
  const send = async (topicMessages: TopicMessages[], compression = CompressionTypes.None) => {
    try {
      await retry(() => producer.sendBatch({ acks: ALL_REPLICAS, topicMessages, compression }), {
        firstPauseMs: FIRST_PAUSE_MS,
        longestPauseMs: LONGEST_PAUSE_MS,
        onFailure(error, tries) {
          if (tries >= MOST_TRIES || !mayRetry(error)) throw error;
        },
      });
    } catch (error) {
      const type = protocolErrorOf(error);
      if (type !== null && RECORD_FAULTS.has(type)) throw new RecordRefused(type, { cause: error });
      throw error;
    }
  };
  return {
    publish: (messages) => send(byTopic(messages, names)),
    publishEncoded: (topic, records) =>
      // The client passes a message on to our own encoding as it is.
      send(
        [{ topic: names.full(topic), messages: records.map((one) => ({ ...one, value: null })) }],
        CompressionTypes.GZIP,
      ),
    close: () => producer.disconnect(),
  };
}

function byTopic(messages: readonly OutgoingMessage[], names: TopicNames): TopicMessages[] {
  const topics = new Map<string, TopicMessages>();
  for (const { topic, key, value, headers } of messages) {
    const entry = topics.get(topic) ?? { topic: names.full(topic), messages: [] };
    entry.messages.push({ key, value, headers: headers as IHeaders });
    topics.set(topic, entry);
  }
  return [...topics.values()];
}

/** Whether the client would have tried again. */
function mayRetry(error: unknown): boolean {
  return error instanceof kafkajs.KafkaJSNumberOfRetriesExceeded;
}

function protocolErrorOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ('type' in cause && typeof cause.type === 'string') return cause.type;
  }
  return null;
}
