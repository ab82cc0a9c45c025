import {
  type ClientInternals,
  loadInternals,
  prototypeOf,
  replaceExported,
} from '../runtime/client-internals.js';

const PARSE = { module: 'kafkajs/src/protocol/requests/metadata/v0/response.js', name: 'parse', methods: {} };
const USERS = ['v1', 'v2', 'v3', 'v5'].map(
  (version) => `kafkajs/src/protocol/requests/metadata/${version}/response.js`,
);
const BROKER_POOL: ClientInternals = {
  module: 'kafkajs/src/cluster/brokerPool.js',
  methods: { refreshMetadata: ['metadata', 'metadataExpireAt'] },
};
const OFFSET_MANAGER: ClientInternals = {
  module: 'kafkajs/src/consumer/offsetManager/index.js',
  methods: { resolveOffsets: ['cluster'] },
};

/** The leader of a partition that has none. */
export const NO_LEADER = -1;
/** LEADER_NOT_AVAILABLE, REPLICA_NOT_AVAILABLE and LISTENER_NOT_FOUND. */
const IGNORED: ReadonlySet<number> = new Set([5, 9, 72]);
/** How soon a leader is looked for again, in milliseconds. */
const RECHECK_MS = 2_000;

interface Metadata {
  readonly topicMetadata: readonly {
    readonly topic: string;
    readonly partitionMetadata: readonly {
      readonly partitionErrorCode: number;
      readonly partitionId: number;
      readonly leader: number;
    }[];
  }[];
}

interface BrokerPool {
  readonly metadata: Metadata | null;
  /** Epoch milliseconds; null: at the next request. */
  metadataExpireAt: number | null;
  refreshMetadata(topics: readonly string[]): Promise<void>;
}

interface OfTopic {
  readonly topic: string;
  readonly partitions: readonly { readonly partition: number }[];
}

interface Cluster {
  findTopicPartitionMetadata(topic: string): Metadata['topicMetadata'][number]['partitionMetadata'];
  fetchTopicsOffset(topics: readonly OfTopic[]): Promise<readonly OfTopic[]>;
}

interface OffsetManager {
  readonly cluster: Cluster;
  resolveOffsets(): Promise<void>;
}

/**
 * Accepts metadata in which partitions have no leader, like Kafka's own client. Otherwise one such partition stops all reading
 * and publishing, because the client reports the first error of any partition for the whole response.
 */
replaceExported<(metadata: Metadata) => Promise<Metadata>>(PARSE, USERS, (usual) => async (metadata) => {
  const topicMetadata = metadata.topicMetadata.map((topic) => ({
    ...topic,
    partitionMetadata: topic.partitionMetadata.filter(
      ({ partitionErrorCode }) => !IGNORED.has(partitionErrorCode),
    ),
  }));
  await usual({ ...metadata, topicMetadata });
  return metadata;
});

/**
 * Refreshes the metadata every two seconds while a partition has no leader. Looks up the starts of the other partitions when a
 * consumer begins; those without a leader follow at a later fetch.
 *
 * @throws UnknownInternals if a class is not as expected
 */
export function patchLeaderless(brokerPool: unknown, offsetManager: unknown): void {
  const pool = prototypeOf<BrokerPool>(BROKER_POOL, brokerPool);
  const { refreshMetadata } = pool;
  pool.refreshMetadata = async function refresh(this: BrokerPool, topics) {
    await refreshMetadata.call(this, topics);
    const partitions = this.metadata?.topicMetadata.flatMap((topic) => topic.partitionMetadata) ?? [];
    if (partitions.some(({ leader }) => leader === NO_LEADER))
      this.metadataExpireAt = Date.now() + RECHECK_MS;
  };
  const offsets = prototypeOf<OffsetManager>(OFFSET_MANAGER, offsetManager);
  const { resolveOffsets } = offsets;
  offsets.resolveOffsets = function resolve(this: OffsetManager) {
    return resolveOffsets.call(Object.create(this, { cluster: { value: withLeaders(this.cluster) } }));
  };
}

/** The cluster, without the offsets of partitions that have no leader. */
function withLeaders(cluster: Cluster): Cluster {
  const hasLeader = (topic: string, partition: number) =>
    cluster
      .findTopicPartitionMetadata(topic)
      .some(({ partitionId, leader }) => partitionId === partition && leader !== NO_LEADER);
  const fetchTopicsOffset = async (topics: readonly OfTopic[]) => {
    const led = topics.map((one) => ({
      ...one,
      partitions: one.partitions.filter(({ partition }) => hasLeader(one.topic, partition)),
    }));
    const found = await cluster.fetchTopicsOffset(led);
    // The client needs an entry for each topic.
    return topics.map(({ topic }) => found.find((one) => one.topic === topic) ?? { topic, partitions: [] });
  };
  return Object.create(cluster, { fetchTopicsOffset: { value: fetchTopicsOffset } });
}

patchLeaderless(loadInternals(BROKER_POOL), loadInternals(OFFSET_MANAGER));
