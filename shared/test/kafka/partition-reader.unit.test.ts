import { expect } from 'chai';
import type { Kafka } from 'kafkajs';
import { connectPartitionReader, type PartitionReader, UNKNOWN } from '../../src/kafka/partition-reader.js';
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
  let leaders: Readonly<Record<string, number[]>>;
  /** The partitions whose leader is asked for records, by fetch. */
  let asked: number[][];
  let reader: PartitionReader;

  beforeEach(async () => {
    asked = [];
    const partitionsOf = (nodeId: string, partitions: readonly number[]) =>
      (leaders[nodeId] ?? []).filter((one) => partitions.includes(one));
    const cluster = {
      connect: async () => {},
      addMultipleTargetTopics: async () => {},
      refreshMetadata: async () => {},
      refreshMetadataIfNecessary: async () => {},
      findTopicPartitionMetadata: () =>
        Object.values(leaders)
          .flat()
          .map((partitionId) => ({ partitionId })),
      findLeaderForPartitions: (_: string, partitions: readonly number[]) =>
        Object.fromEntries(
          Object.keys(leaders)
            .map((nodeId) => [nodeId, partitionsOf(nodeId, partitions)] as const)
            .filter(([, led]) => led.length > 0),
        ),
      findBroker: async ({ nodeId }: { nodeId: string }) => {
        if (Number(nodeId) < 0) throw new Error(`no broker ${nodeId}`);
        return {
          async fetch({ topics }: { topics: readonly { partitions: { partition: number }[] }[] }) {
            asked.push(topics.flatMap(({ partitions }) => partitions.map(({ partition }) => partition)));
            return { responses: [] };
          },
        };
      },
      async fetchTopicsOffset([topic]: readonly {
        partitions: { partition: number }[];
        fromBeginning: boolean;
      }[]) {
        const partitions = topic!.partitions.map(({ partition }) => partition);
        const without = partitionsOf('-1', partitions);
        if (without.length > 0) throw new Error('no broker -1');
        const offset = topic!.fromBeginning ? '3' : '7';
        return [{ partitions: partitions.map((partition) => ({ partition, offset })) }];
      },
    };
    const kafka = { [Symbol('private:Kafka:createCluster')]: () => cluster } as unknown as Kafka;
    reader = await connectPartitionReader({ kafka, names: createTopicNames(''), topic: 'events' });
  });

  const messageOf = (error: Error) => error.message;

  // Regression: one partition without a leader stopped all streams.
  it('leaves out partitions without a leader', async () => {
    leaders = { '1': [0, 2], '-1': [1] };
    await reader.fetch(new Map([0, 1, 2].map((one) => [one, 0])), 0);
    expect(asked).to.deep.equal([[0, 2]]);
  });

  it('rejects if no partition has a leader, because it would return at once', async () => {
    leaders = { '-1': [0, 1] };
    const positions = new Map([0, 1].map((one) => [one, 0]));
    expect(await reader.fetch(positions, 0).catch(messageOf)).to.equal('no partition of events has a leader');
    expect(await reader.ends().catch(messageOf)).to.equal('no partition of events has a leader');
  });

  // Regression: while one partition had no leader, deferred events of the others could not be read again.
  it('finds the starts of partitions although another one has no leader', async () => {
    leaders = { '1': [0], '-1': [1] };
    expect(await reader.starts([0])).to.deep.equal(new Map([[0, 3]]));
    expect(await reader.starts([0, 1]).catch(messageOf)).to.equal('no broker -1');
  });

  // Regression: while one partition had no leader, no stream could be opened.
  it('finds the ends of partitions, and that of one without a leader once it has one', async () => {
    leaders = { '1': [0], '-1': [1] };
    const ends = await reader.ends();
    expect(ends).to.deep.equal(
      new Map([
        [0, 7],
        [1, UNKNOWN],
      ]),
    );
    expect(await reader.fetch(ends, 0)).to.deep.equal({ records: [], positions: ends });
    leaders = { '1': [0], '2': [1] };
    const { positions } = await reader.fetch(ends, 0);
    expect(positions.get(1)).to.equal(7);
    await reader.fetch(positions, 0);
    expect(asked.flat()).to.deep.equal([0, 0, 1]);
  });

  it('knows the partitions that were added since it connected', () => {
    leaders = { '1': [0] };
    expect(reader.partitions()).to.deep.equal([0]);
    leaders = { '1': [0, 2], '-1': [1] };
    expect(reader.partitions()).to.have.members([0, 1, 2]);
  });
});
