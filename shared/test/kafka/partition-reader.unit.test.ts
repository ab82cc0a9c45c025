import { expect } from 'chai';
import type { Kafka } from 'kafkajs';
import { connectPartitionReader } from '../../src/kafka/partition-reader.js';
import { createTopicNames } from '../../src/kafka/topic-names.js';

describe('the connection of a partition reader', () => {
  it('is closed when the topic cannot be found', async () => {
    const calls: string[] = [];
    const cluster = {
      connect: async () => void calls.push('connect'),
      addMultipleTargetTopics: async () => {
        throw new Error('no leader');
      },
      disconnect: async () => void calls.push('disconnect'),
    };
    const kafka = { [Symbol('private:Kafka:createCluster')]: () => cluster } as unknown as Kafka;
    const options = { kafka, names: createTopicNames(''), topic: 'workspace.events' };
    const error = await connectPartitionReader(options).catch((one: Error) => one.message);
    expect(error).to.equal('no leader');
    expect(calls).to.deep.equal(['connect', 'disconnect']);
  });
});

describe('a partition reader', () => {
  /** The partitions whose leader is asked for records. */
  async function askedWith(leaders: Readonly<Record<string, number[]>>) {
    const asked: object[] = [];
    const cluster = {
      connect: async () => {},
      addMultipleTargetTopics: async () => {},
      refreshMetadata: async () => {},
      refreshMetadataIfNecessary: async () => {},
      findLeaderForPartitions: () => leaders,
      findBroker: async ({ nodeId }: { nodeId: string }) => {
        if (Number(nodeId) < 0) throw new Error(`no broker ${nodeId}`);
        return {
          fetch: async ({ topics }: { topics: object[] }) => ({
            responses: [],
            asked: asked.push(...topics),
          }),
        };
      },
    };
    const kafka = { [Symbol('private:Kafka:createCluster')]: () => cluster } as unknown as Kafka;
    const reader = await connectPartitionReader({ kafka, names: createTopicNames(''), topic: 'events' });
    const partitions = Object.values(leaders).flat();
    await reader.fetch(new Map(partitions.map((one) => [one, 0])), 0);
    return asked
      .flatMap((topic) => (topic as { partitions: { partition: number }[] }).partitions)
      .map((one) => one.partition);
  }

  // Regression: one partition without a leader stopped all streams.
  it('leaves out partitions without a leader', async () => {
    expect(await askedWith({ '1': [0, 2], '-1': [1] })).to.deep.equal([0, 2]);
  });

  it('rejects if no partition has a leader, because it would return at once', async () => {
    const error = await askedWith({ '-1': [0, 1] }).catch(({ message }: Error) => message);
    expect(error).to.equal('no partition of events has a leader');
  });
});
