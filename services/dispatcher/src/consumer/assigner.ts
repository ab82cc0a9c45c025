import { AssignerProtocol, type Cluster, type GroupMember, type PartitionAssigner } from 'kafkajs';
import { assignIndices, type Member } from './assign-indices.js';
import { decodeClaim, encodeClaim } from './member-claim.js';

const { MemberMetadata, MemberAssignment } = AssignerProtocol;

/** Members with different assigner names cannot form a group, so an incompatible assigner needs a new name. */
const NAME = 'postrider-sticky';
/** The version of the consumer protocol's format, which Kafka's tools also read. */
const PROTOCOL_VERSION = 0;

interface LastAssignment {
  /** The partition indices of the last assignment; empty after the membership was lost. */
  readonly owned: () => readonly number[];
  /** The group generation in which they were assigned, from the client's heartbeats; 0 while unknown. */
  readonly generation: () => number;
}

/**
 * The topics of the group do not have the same number of partitions, so an endpoint's messages would be read by
 * several processes. `retriable` makes the client stop permanently instead of rejoining repeatedly.
 */
export class PartitionCountsDiffer extends Error {
  override readonly name = 'PartitionCountsDiffer';
  readonly retriable = false;

  constructor(counts: ReadonlyMap<string, number>) {
    const list = [...counts].map(([topic, count]) => `${topic} has ${count}`).join(', ');
    super(`All topics of a consumer group need the same number of partitions, at least one: ${list}`);
  }
}

/**
 * Assigns partition i of every subscribed topic to the same member, and moves as few partitions as possible when members
 * join and leave. The group leader assigns for all; each member sends the indices that it owns when it joins.
 *
 * The client refreshes the metadata of all subscribed topics right before it calls `assign`, and that fails for a
 * topic that does not exist, so the metadata is complete; it also has the partitions without a leader. Only for a topic that
 * was never subscribed does the client return an empty list, which is rejected as a differing count.
 */
export function createStickyAssigner({ owned, generation }: LastAssignment): PartitionAssigner {
  return ({ cluster }) => ({
    name: NAME,
    version: PROTOCOL_VERSION,
    assign: async ({ members, topics }) => {
      const shares = assignIndices(members.map(memberOf), partitionCount(cluster, topics));
      return [...shares].map(([memberId, indices]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({
          version: PROTOCOL_VERSION,
          assignment: Object.fromEntries(topics.map((topic) => [topic, indices])),
          userData: Buffer.alloc(0),
        }),
      }));
    },
    protocol: ({ topics }) => ({
      name: NAME,
      metadata: MemberMetadata.encode({
        version: PROTOCOL_VERSION,
        topics,
        userData: encodeClaim({ owned: owned(), generation: generation() }),
      }),
    }),
  });
}

function memberOf({ memberId, memberMetadata }: GroupMember): Member {
  return { memberId, ...decodeClaim(MemberMetadata.decode(memberMetadata)?.userData ?? null) };
}

function partitionCount(cluster: Pick<Cluster, 'findTopicPartitionMetadata'>, topics: string[]): number {
  const counts = new Map(topics.map((topic) => [topic, cluster.findTopicPartitionMetadata(topic).length]));
  const [count = 0, ...others] = new Set(counts.values());
  if (count === 0 || others.length > 0) throw new PartitionCountsDiffer(counts);
  return count;
}
