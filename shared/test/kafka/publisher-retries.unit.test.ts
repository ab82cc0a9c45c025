import { createRequire } from 'node:module';
import { expect } from 'chai';
import kafkajs, { type Kafka } from 'kafkajs';
import { connectPublisher } from '../../src/kafka/publisher.js';
import { createTopicNames } from '../../src/kafka/topic-names.js';

const require = createRequire(import.meta.url);
const createSendMessages = require('kafkajs/src/producer/sendMessages.js');
const createRetry = require('kafkajs/src/retry/index.js');

interface Partition {
  readonly partition: number;
  readonly messages: readonly { readonly value: string }[];
}

const PARTITIONS = [0, 1, 2];
const quiet = () => {};

/** A cluster of three brokers, each of which leads a partition, with the client's own code for sending. */
function aCluster() {
  const leaders = new Map(PARTITIONS.map((partition) => [partition, partition + 1]));
  const stored: { readonly partition: number; readonly value: string }[] = [];
  const world = { stored, failing: null as number | null, requests: 0 };
  const brokers = new Map(
    [...leaders.values()].map((nodeId) => [
      nodeId,
      {
        nodeId,
        async produce({ topicData }: { topicData: readonly { topic: string; partitions: Partition[] }[] }) {
          world.requests += 1;
          if (nodeId === world.failing) {
            // The partition has another leader from now on.
            leaders.set(1, 3);
            throw new kafkajs.KafkaJSProtocolError({
              message: 'moved',
              type: 'NOT_LEADER_FOR_PARTITION',
              code: 6,
              retriable: true,
            } as never);
          }
          const partitions = topicData.flatMap((topic) => topic.partitions);
          for (const { partition, messages } of partitions)
            for (const { value } of messages) stored.push({ partition, value: String(value) });
          return {
            topics: topicData.map(({ topic }) => ({
              topicName: topic,
              partitions: partitions.map(({ partition }) => ({ partition, errorCode: 0 })),
            })),
          };
        },
      },
    ]),
  );
  const cluster = {
    targetTopics: new Set(),
    addMultipleTargetTopics: async () => {},
    refreshMetadata: async () => {},
    refreshMetadataIfNecessary: async () => {},
    isConnected: () => true,
    findTopicPartitionMetadata: () => PARTITIONS.map((partitionId) => ({ partitionId })),
    findLeaderForPartitions: (_topic: string, partitions: readonly string[]) =>
      Object.groupBy(partitions.map(Number), (partition) => `${leaders.get(partition)}`),
    findBroker: async ({ nodeId }: { nodeId: string }) => brokers.get(Number(nodeId)),
  };
  const eosManager = {
    acquireBrokerLock: async () => {},
    releaseBrokerLock: async () => {},
    isTransactional: () => false,
    getSequence: () => 0,
    updateSequence: quiet,
    getProducerId: () => -1,
    getProducerEpoch: () => 0,
  };
  const kafka = {
    producer: ({ retry, createPartitioner }: { retry: object; createPartitioner: () => unknown }) => ({
      connect: async () => {},
      disconnect: async () => {},
      sendBatch: createSendMessages({
        logger: { debug: quiet, error: quiet },
        cluster,
        partitioner: createPartitioner(),
        eosManager,
        retrier: createRetry(retry),
      }),
    }),
  };
  return Object.assign(world, { kafka: kafka as unknown as Kafka });
}

describe('publisher whose batch a broker refuses', () => {
  const values = Array.from({ length: 30 }, (_, index) => `${index}`);
  const messages = values.map((value) => ({ topic: 'a', key: value, headers: {}, value }));

  // Regression: the client sends nothing to a broker that acknowledged its part of the batch before.
  it('loses nothing when a partition moves to a broker that acknowledged its part already', async () => {
    const cluster = aCluster();
    cluster.failing = 2;
    const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
    await publisher.publish(messages);
    expect([...new Set(cluster.stored.map(({ value }) => value))]).to.have.members(values);
    expect(new Set(cluster.stored.map(({ partition }) => partition))).to.deep.equal(new Set(PARTITIONS));
  });
});
