import type { Admin, Kafka } from 'kafkajs';
import type { TopicNames } from './topic-names.js';

export interface LagOfTopic {
  /** Without prefix. */
  readonly topic: string;
  /** Messages between what the group has committed and the end, over all partitions. */
  readonly lag: number;
}

export interface LagMeter {
  /** The lag of a whole group, whoever consumes it. Rejects while the broker is away. */
  read(): Promise<readonly LagOfTopic[]>;
  close(): Promise<void>;
}

interface LagOptions {
  readonly kafka: Kafka;
  readonly names: TopicNames;
  /** Without prefix, like the topics. */
  readonly groupId: string;
  readonly topics: readonly string[];
}

/** Measures how far a consumer group is behind. It connects when it is asked for the first time. */
export function lagMeter({ kafka, names, groupId, topics }: LagOptions): LagMeter {
  let connected: Promise<Admin> | null = null;
  const connect = async (): Promise<Admin> => {
    const admin = kafka.admin({ retry: { retries: 1 } });
    await admin.connect();
    return admin;
  };
  const admin = () => {
    connected ??= connect().catch((error: unknown) => {
      connected = null;
      throw error;
    });
    return connected;
  };
  return {
    async read() {
      const asked = await admin();
      const committed = await asked.fetchOffsets({
        groupId: names.full(groupId),
        topics: topics.map(names.full),
      });
      return Promise.all(
        committed.map(async ({ topic, partitions }) => ({
          topic: names.bare(topic),
          lag: lagOf(await asked.fetchTopicOffsets(topic), partitions),
        })),
      );
    },
    async close() {
      await (await connected?.catch(() => null))?.disconnect();
    },
  };
}

interface Ends {
  readonly partition: number;
  readonly low: string;
  readonly high: string;
}

/** What was never committed will be read from the beginning. */
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
