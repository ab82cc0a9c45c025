import kafkajs, { type IHeaders, type Kafka, type PartitionerArgs } from 'kafkajs';
import type { Publish } from '../ports/queue.js';
import { type Append, appendAll, appendInTries, divideBy } from './append.js';
import { appendAroundFailing } from './append-around-failing.js';
import type { EncodedRecords } from './encoded-record.js';
import { createPartitioner } from './partition-of.js';
import type { TopicNames } from './topic-names.js';

export interface Publisher {
  readonly publish: Publish;
  /** Like `publish`, compressed, for records that are already encoded. @param topic without prefix */
  publishEncoded(topic: string, records: readonly EncodedRecords[]): Promise<void>;
  close(): Promise<void>;
}

const ALL_REPLICAS = -1;
const { CompressionTypes } = kafkajs;

/** Assigns the same partitions as other clients, faster than the library. @param counts is filled with topics' partitions */
function partitionerOf(counts: Map<string, number>) {
  const withoutKey = kafkajs.Partitioners.DefaultPartitioner();
  return (args: PartitionerArgs): number => {
    const { key } = args.message;
    const count = args.partitionMetadata.length;
    counts.set(args.topic, count);
    return key == null ? withoutKey(args) : createPartitioner(count)(key);
  };
}

/** Appends messages and waits for all in-sync replicas. Consumers must tolerate duplicates. */
export async function connectPublisher(kafka: Kafka, names: TopicNames): Promise<Publisher> {
  const counts = new Map<string, number>();
  const producer = kafka.producer({
    allowAutoTopicCreation: false,
    createPartitioner: () => partitionerOf(counts),
    retry: { retries: 0 },
  });
  await producer.connect();
  const appendWith =
    (compression: kafkajs.CompressionTypes): Append =>
    (topicMessages) =>
      producer.sendBatch({ acks: ALL_REPLICAS, topicMessages, compression });
  const divide = divideBy((topic, key) => {
    const count = counts.get(topic);
    return key == null || count === undefined ? null : createPartitioner(count)(key);
  });
  const append = appendWith(CompressionTypes.None);
  const appendPlain = appendAroundFailing(appendInTries(append, divide), { append, divide });
  const appendCompressed = appendInTries(appendWith(CompressionTypes.GZIP), divide);
  return {
    publish: (messages) =>
      appendAll(
        appendPlain,
        messages.map(({ topic, key, value, headers }) => ({
          topic: names.full(topic),
          message: { key, value, headers: headers as IHeaders },
        })),
      ),
    publishEncoded: (topic, records) =>
      // The client passes a message on to our own encoding as it is.
      appendAll(
        appendCompressed,
        records.map((one) => ({ topic: names.full(topic), message: { ...one, value: null } })),
      ),
    close: () => producer.disconnect(),
  };
}
