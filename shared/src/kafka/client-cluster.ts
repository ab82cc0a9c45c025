import type { IHeaders, Kafka } from 'kafkajs';
import { type ClientInternals, loadInternals, UnknownInternals } from '../runtime/client-internals.js';

/** The parts of the client's cluster that are used here. The client offers them only to members of groups. */
export interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  refreshMetadata(): Promise<void>;
  /** If it is too old. */
  refreshMetadataIfNecessary(): Promise<void>;
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[];
  /** Returns the partitions of each leader; those without one are under `NO_LEADER`. */
  findLeaderForPartitions(topic: string, partitions: readonly number[]): Readonly<Record<string, number[]>>;
  findBroker(node: { readonly nodeId: string }): Promise<Broker>;
  fetchTopicsOffset(
    topics: readonly { topic: string; partitions: { partition: number }[]; fromBeginning: boolean }[],
  ): Promise<readonly { partitions: readonly { partition: number; offset: string }[] }[]>;
}

interface Broker {
  fetch(request: {
    readonly maxWaitTime: number;
    readonly minBytes: number;
    readonly maxBytes: number;
    readonly isolationLevel: number;
    readonly topics: readonly object[];
  }): Promise<{
    readonly responses: readonly { readonly partitions: readonly FetchedPartition[] }[];
  }>;
}

export interface FetchedPartition {
  readonly partition: number;
}

/** The records that a fetch returned for a partition, without those before the position or of aborted transactions. */
interface Batch {
  readonly partition: number;
  readonly rawMessages: readonly { readonly offset: string }[];
  readonly messages: readonly {
    readonly offset: string;
    readonly timestamp: string;
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    readonly headers: IHeaders;
  }[];
}

type NewBatch = new (topic: string, fetchedOffset: string, partition: FetchedPartition) => Batch;

const BATCH: ClientInternals = {
  module: 'kafkajs/src/consumer/batch.js',
  methods: { isEmpty: ['messages'] },
};

const CREATE_CLUSTER = 'private:Kafka:createCluster';
const CLUSTER: ClientInternals = { module: 'kafkajs', name: 'Kafka', methods: {} };
/** The isolation level of fetches: records of aborted transactions are not read. */
export const READ_COMMITTED = 1;

/** @throws UnknownInternals if the client is not as expected */
export function createCluster(kafka: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find((one) => one.description === CREATE_CLUSTER);
  const create: unknown = symbol && Reflect.get(kafka, symbol);
  if (typeof create !== 'function') throw new UnknownInternals(CLUSTER, CREATE_CLUSTER);
  return create({
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
    isolationLevel: READ_COMMITTED,
  }) as Cluster;
}

/** Returns the records that a fetch returned for a partition. */
export function openBatch(topic: string, fetchedOffset: number, partition: FetchedPartition): Batch {
  const ClientBatch = loadInternals(BATCH) as NewBatch;
  return new ClientBatch(topic, String(fetchedOffset), partition);
}
