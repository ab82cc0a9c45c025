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
  /** Does not wait for a broker that is away. */
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
