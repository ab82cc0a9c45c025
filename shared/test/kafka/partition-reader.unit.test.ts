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
