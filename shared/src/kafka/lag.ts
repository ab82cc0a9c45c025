import type { Admin, Kafka } from 'kafkajs';
import type { TopicNames } from './topic-names.js';

export interface LagOfTopic {
  /** Without prefix. */
  readonly topic: string;
  /** Messages between the committed offsets and the end offsets, over all partitions. */
  readonly lag: number;
}

export interface LagMeter {
  /** Reads the lag of the whole group. Rejects while the broker is unavailable. */
  read(): Promise<readonly LagOfTopic[]>;
  /** Does not wait for an unavailable broker. */
  close(): Promise<void>;
}

interface LagOptions {
  readonly kafka: Kafka;
  readonly names: TopicNames;
  /** Without prefix, like the topics. */
  readonly groupId: string;
  readonly topics: readonly string[];
}

/** Measures the lag of a consumer group. Connects at the first read. */
export function createLagMeter({ kafka, names, groupId, topics }: LagOptions): LagMeter {
  let connecting: Promise<Admin> | null = null;
  let connected: Admin | null = null;
  let closed = false;
  const connect = async (): Promise<Admin> => {
    const admin = kafka.admin({ retry: { retries: 1 } });
    await admin.connect();
    if (closed) await admin.disconnect();
    else connected = admin;
    return admin;
  };
  const admin = () => {
    connecting ??= connect().catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  };
  return {
    async read() {
      const client = await admin();
      const committed = await client.fetchOffsets({
        groupId: names.full(groupId),
        topics: topics.map(names.full),
      });
      return Promise.all(
        committed.map(async ({ topic, partitions }) => ({
          topic: names.bare(topic),
          lag: lagOf(await client.fetchTopicOffsets(topic), partitions),
        })),
      );
    },
    async close() {
      closed = true;
      await connected?.disconnect();
    },
  };
}

interface Ends {
  readonly partition: number;
  readonly low: string;
  readonly high: string;
}

/** A partition without a committed offset counts from its beginning. */
export function lagOf(
  ends: readonly Ends[],
  committed: readonly { readonly partition: number; readonly offset: string }[],
): number {
  const offsets = new Map(committed.map(({ partition, offset }) => [partition, Number(offset)]));
  let lag = 0;
  for (const { partition, low, high } of ends) {
    const from = Math.max(offsets.get(partition) ?? -1, Number(low));
    lag += Math.max(0, Number(high) - from);
  }
  return lag;
}
