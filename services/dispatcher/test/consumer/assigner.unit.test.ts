import { expect } from 'chai';
import { AssignerProtocol, type Cluster, type PartitionMetadata } from 'kafkajs';
import { createStickyAssigner, PartitionCountsDiffer } from '../../src/consumer/assigner.js';

type Counts = Readonly<Record<string, number>>;

/** The part of a cluster that the assigner uses; unnamed topics have no partitions. */
function clusterOf(counts: Counts): Cluster {
  const findTopicPartitionMetadata = (topic: string) =>
    Array.from({ length: counts[topic] ?? 0 }, (_, partitionId) => ({ partitionId }) as PartitionMetadata);
  return { findTopicPartitionMetadata } as unknown as Cluster;
}

function memberOf(counts: Counts, memberId: string, owned: readonly number[] = []) {
  const assigner = createStickyAssigner({ owned: () => owned, generation: () => 1 })({
    cluster: clusterOf(counts),
    groupId: 'deliveries',
    logger: undefined as never,
  });
  const topics = Object.keys(counts);
  return { assigner, topics, memberId, memberMetadata: assigner.protocol({ topics }).metadata };
}

async function dealt(members: readonly ReturnType<typeof memberOf>[]) {
  const [leader] = members;
  const assigned = await leader!.assigner.assign({ members: [...members], topics: leader!.topics });
  return Object.fromEntries(
    assigned.map(({ memberId, memberAssignment }) => [
      memberId,
      { ...AssignerProtocol.MemberAssignment.decode(memberAssignment)?.assignment },
    ]),
  );
}

describe('sticky assigner', () => {
  const counts = { deliveries: 4, retries: 4 };

  it('assigns the same indices of all topics to a member, preferring those that it owns', async () => {
    const members = [memberOf(counts, 'a', [3, 1]), memberOf(counts, 'b')];
    expect(await dealt(members)).to.deep.equal({
      a: { deliveries: [1, 3], retries: [1, 3] },
      b: { deliveries: [0, 2], retries: [0, 2] },
    });
  });

  it('treats a member with an unreadable claim as new', async () => {
    const { MemberMetadata } = AssignerProtocol;
    const strange = MemberMetadata.encode({ version: 0, topics: [], userData: Buffer.from('?') });
    const members = [memberOf(counts, 'a', [0, 1]), { ...memberOf(counts, 'b'), memberMetadata: strange }];
    expect(await dealt(members)).to.deep.equal({
      a: { deliveries: [0, 1], retries: [0, 1] },
      b: { deliveries: [2, 3], retries: [2, 3] },
    });
  });

  for (const [what, uneven] of [
    ['differ', { deliveries: 4, retries: 3 }],
    ['are not known for a topic', { deliveries: 4, retries: 0 }],
    ['are not known at all', { deliveries: 0, retries: 0 }],
  ] as const) {
    it(`rejects partition counts that ${what} with a permanent error that lists them`, async () => {
      const failure = await dealt([memberOf(uneven, 'a')]).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(PartitionCountsDiffer);
      expect(failure).to.include({ retriable: false });
      expect(String(failure)).to.contain(
        `deliveries has ${uneven.deliveries}, retries has ${uneven.retries}`,
      );
    });
  }
});
