import type { IHeaders, Kafka } from 'kafkajs';
import { createCluster, type FetchedPartition, openBatch, READ_COMMITTED } from './client-cluster.js';
import { NO_LEADER } from './leaderless-partitions.js';
import type { TopicNames } from './topic-names.js';

/** The next offset of each partition, or `UNKNOWN`. */
export type Positions = ReadonlyMap<number, number>;

/** The position in a partition whose end has not been known yet, because it has no leader. It is before every offset. */
export const UNKNOWN = -1;

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
  /** The positions of the first records that are stored. Rejects if one of the partitions has no leader. */
  starts(partitions: readonly number[]): Promise<Positions>;
  /** The known partitions. A fetch looks for added ones every five minutes. */
  partitions(): readonly number[];
  /** The positions after everything that is stored; `UNKNOWN` for partitions without a leader. Rejects if none has one. */
  ends(): Promise<Positions>;
  /**
   * Waits up to `waitMs` for records from these positions. Partitions without a leader are left out; rejects if none has one. Once
   * a partition has one, its unknown position becomes its end.
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

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_BYTES_PER_PARTITION = 512 * 1024;

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
  /** The partitions of each leader. */
  const ledOf = (asked: readonly number[]) => {
    const { [NO_LEADER]: _, ...led } = cluster.findLeaderForPartitions(full, asked);
    if (Object.keys(led).length === 0) throw new Error(`no partition of ${full} has a leader`);
    return led;
  };
  const boundsOf = async (of: readonly number[], which: { readonly fromBeginning: boolean }) => {
    const asked = of.map((partition) => ({ partition }));
    const [found] = await cluster.fetchTopicsOffset([{ topic: full, partitions: asked, ...which }]);
    return new Map(found?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
  };
  const endsOf = (of: readonly number[]) => boundsOf(of, { fromBeginning: false });
  return {
    starts: (of) => refreshAfter(() => boundsOf(of, { fromBeginning: true })),
    partitions,
    ends: () =>
      refreshAfter(async () => {
        const all = partitions();
        const ends = await endsOf(Object.values(ledOf(all)).flat());
        return new Map(all.map((one) => [one, ends.get(one) ?? UNKNOWN]));
      }),
    fetch: (positions, waitMs) =>
      refreshAfter(async () => {
        await cluster.refreshMetadataIfNecessary();
        const leaders = ledOf([...positions.keys()]);
        const isUnknown = (one: number) => positions.get(one) === UNKNOWN;
        const begun = Object.values(leaders).flat().filter(isUnknown);
        if (begun.length > 0)
          return { records: [], positions: new Map([...positions, ...(await endsOf(begun))]) };
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
  const positions = new Map(from.positions);
  const records: PartitionRecord[] = [];
  for (const fetched of partitions) {
    const { partition } = fetched;
    const first = from.positions.get(partition) ?? 0;
    const batch = openBatch(from.topic, first, fetched);
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

function typeOf(error: unknown): unknown {
  return error instanceof Error && 'type' in error ? error.type : null;
}
