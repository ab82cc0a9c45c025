import type { IHeaders, Kafka } from 'kafkajs';
import { type ClientInternals, loadInternals, UnknownInternals } from '../runtime/client-internals.js';
import type { TopicNames } from './topic-names.js';

/** The next offset of each partition. */
export type Positions = ReadonlyMap<number, number>;

/** A record as it was read; headers are not decoded. */
export interface PartitionRecord {
  readonly partition: number;
  readonly offset: number;
  /** Milliseconds. */
  readonly timestamp: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: IHeaders;
}

export interface Fetched {
  readonly records: readonly PartitionRecord[];
  /** The positions after everything that was read. */
  readonly positions: Positions;
}

/** Reads a topic from any positions without a consumer group, so that it leaves nothing at the broker. */
export interface PartitionReader {
  /** The positions after everything that is stored. */
  ends(): Promise<Positions>;
  /**
   * Waits up to `waitMs` for records from these positions.
   *
   * @throws PositionLost if records of a position are no longer stored
   */
  fetch(positions: Positions, waitMs: number): Promise<Fetched>;
  close(): Promise<void>;
}

/** A position is outside of the range of its partition. */
export class PositionLost extends Error {
  override readonly name = 'PositionLost';
}

/** The parts of the client's cluster that are used here. The client offers them only to members of groups. */
interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  refreshMetadata(): Promise<void>;
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number }[];
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

interface FetchedPartition {
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

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_BYTES_PER_PARTITION = 512 * 1024;
const CREATE_CLUSTER = 'private:Kafka:createCluster';
const CLUSTER: ClientInternals = { module: 'kafkajs', name: 'Kafka', methods: {} };
const READ_COMMITTED = 1;

interface ReaderOptions {
  readonly kafka: Kafka;
  readonly names: TopicNames;
  /** Without prefix. */
  readonly topic: string;
  /** Maximum size of one fetch from a broker, in bytes; a larger batch is read alone. */
  readonly maxBytes?: number;
}

/** Connects and reads the partitions of the topic. */
export async function connectPartitionReader({
  kafka,
  names,
  topic,
  maxBytes = MAX_BYTES,
}: ReaderOptions): Promise<PartitionReader> {
  const cluster = createCluster(kafka);
  const full = names.full(topic);
  await cluster.connect();
  try {
    await cluster.addMultipleTargetTopics([full]);
  } catch (error) {
    await cluster.disconnect();
    throw error;
  }
  const partitions = () => cluster.findTopicPartitionMetadata(full).map(({ partitionId }) => partitionId);
  const refreshAfter = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (typeOf(error) === 'OFFSET_OUT_OF_RANGE') throw new PositionLost(full, { cause: error });
      // Leaders may have moved.
      await cluster.refreshMetadata().catch(() => {});
      throw error;
    }
  };
  const fetchFrom = async (nodeId: string, positions: Positions, waitMs: number) => {
    const broker = await cluster.findBroker({ nodeId });
    const asked = [...positions].map(([partition, offset]) => {
      return { partition, fetchOffset: String(offset), maxBytes: MAX_BYTES_PER_PARTITION };
    });
    const { responses } = await broker.fetch({
      maxWaitTime: waitMs,
      minBytes: 1,
      maxBytes,
      isolationLevel: READ_COMMITTED,
      topics: [{ topic: full, partitions: asked }],
    });
    return responses.flatMap((response) => response.partitions);
  };
  return {
    ends: () =>
      refreshAfter(async () => {
        const asked = partitions().map((partition) => ({ partition }));
        const [found] = await cluster.fetchTopicsOffset([
          { topic: full, partitions: asked, fromBeginning: false },
        ]);
        return new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
      }),
    fetch: (positions, waitMs) =>
      refreshAfter(async () => {
        const leaders = cluster.findLeaderForPartitions(full, [...positions.keys()]);
        const fetched = await Promise.all(
          Object.entries(leaders).map(([nodeId, led]) =>
            fetchFrom(nodeId, new Map(led.map((one) => [one, positions.get(one) ?? 0])), waitMs),
          ),
        );
        return readFetched(fetched.flat(), { topic: full, positions });
      }),
    close: () => cluster.disconnect(),
  };
}

function readFetched(
  partitions: readonly FetchedPartition[],
  from: { readonly topic: string; readonly positions: Positions },
): Fetched {
  const Batch = loadInternals(BATCH) as NewBatch;
  const positions = new Map(from.positions);
  const records: PartitionRecord[] = [];
  for (const fetched of partitions) {
    const { partition } = fetched;
    const first = from.positions.get(partition) ?? 0;
    const batch = new Batch(from.topic, String(first), fetched);
    const last = batch.rawMessages.at(-1);
    if (last !== undefined) positions.set(partition, Math.max(first, Number(last.offset) + 1));
    for (const { offset, timestamp, key, value, headers } of batch.messages)
      records.push({
        partition,
        offset: Number(offset),
        timestamp: Number(timestamp),
        key,
        value,
        headers,
      });
  }
  return { records, positions };
}

/** @throws UnknownInternals if the client is not as expected */
function createCluster(kafka: Kafka): Cluster {
  const symbol = Object.getOwnPropertySymbols(kafka).find((one) => one.description === CREATE_CLUSTER);
  const create: unknown = symbol && Reflect.get(kafka, symbol);
  if (typeof create !== 'function') throw new UnknownInternals(CLUSTER, CREATE_CLUSTER);
  return create({
    metadataMaxAge: 300_000,
    allowAutoTopicCreation: false,
    isolationLevel: READ_COMMITTED,
  }) as Cluster;
}

function typeOf(error: unknown): unknown {
  return error instanceof Error && 'type' in error ? error.type : null;
}
