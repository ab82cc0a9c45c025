import { createRequire } from 'node:module';
import { mock } from 'node:test';
import { expect } from 'chai';
import kafkajs, { type Kafka } from 'kafkajs';
import { NO_LEADER } from '../../src/kafka/leaderless-partitions.js';
import { createPartitioner } from '../../src/kafka/partition-of.js';
import { connectPublisher } from '../../src/kafka/publisher.js';
import { createTopicNames } from '../../src/kafka/topic-names.js';
import { NotAppended } from '../../src/ports/queue.js';
import { sleep } from '../../src/runtime/sleep.js';

const require = createRequire(import.meta.url);
const createSendMessages = require('kafkajs/src/producer/sendMessages.js');
const { createErrorFromCode } = require('kafkajs/src/protocol/error.js');
const createRetry = require('kafkajs/src/retry/index.js');
const { KafkaJSBrokerNotFound } = require('kafkajs/src/errors.js');

interface Partition {
  readonly partition: number;
  readonly messages: readonly { readonly value: string }[];
}

/** Errors of the protocol: NOT_ENOUGH_REPLICAS, NOT_ENOUGH_REPLICAS_AFTER_APPEND and TOPIC_AUTHORIZATION_FAILED. */
const [TOO_FEW_REPLICAS, APPENDED_TO_TOO_FEW, FORBIDDEN] = [19, 20, 29];
const PARTITIONS = [0, 1, 2];
const quiet = () => {};

const BROKERS = [1, 2, 3];
const REQUEST_TIMEOUT_MS = 30_000;

/** A cluster of three brokers, each of which leads a partition if no other is named, with the client's own code for sending. */
function aCluster(leader: number | null = null) {
  const leaders = new Map(PARTITIONS.map((partition) => [partition, leader ?? partition + 1]));
  const stored: { readonly partition: number; readonly value: string }[] = [];
  const world = {
    stored,
    failing: null as number | null,
    withoutReplicas: new Set<number>(),
    /** Whether those without replicas append before they report it. */
    appendsBefore: false,
    /** Topics that may not be written. */
    forbidden: new Set<string>(),
    /** A broker that does not answer until the request times out. */
    hanging: null as number | null,
    leaders,
    requests: 0,
  };
  const brokers = new Map(
    BROKERS.map((nodeId) => [
      nodeId,
      {
        nodeId,
        async produce({ topicData }: { topicData: readonly { topic: string; partitions: Partition[] }[] }) {
          world.requests += 1;
          if (nodeId === world.hanging) {
            await sleep(REQUEST_TIMEOUT_MS);
            throw new kafkajs.KafkaJSRequestTimeoutError('timed out');
          }
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
          const allowed = topicData.filter(({ topic }) => !world.forbidden.has(topic));
          const partitions = allowed.flatMap((topic) => topic.partitions);
          const lacksReplicas = ({ partition }: Partition) => world.withoutReplicas.has(partition);
          const appended = partitions.filter((one) => world.appendsBefore || !lacksReplicas(one));
          for (const { partition, messages } of appended)
            for (const { value } of messages) stored.push({ partition, value: String(value) });
          // The client reports the error of one partition for the whole response.
          if (allowed.length < topicData.length) throw createErrorFromCode(FORBIDDEN);
          if (partitions.some(lacksReplicas))
            throw createErrorFromCode(world.appendsBefore ? APPENDED_TO_TOO_FEW : TOO_FEW_REPLICAS);
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
    async findBroker({ nodeId }: { nodeId: string }) {
      const broker = brokers.get(Number(nodeId));
      if (broker === undefined) throw new KafkaJSBrokerNotFound(`Broker ${nodeId} not found`);
      return broker;
    },
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

  describe('and whose tries are paused by a virtual clock', () => {
    let now: number;
    beforeEach(() => {
      now = 0;
      mock.timers.enable({ apis: ['setTimeout'] });
      mock.method(performance, 'now', () => now);
    });
    afterEach(() => {
      mock.timers.reset();
      mock.restoreAll();
    });
    const pass = (ms: number) => {
      now += ms;
      mock.timers.tick(ms);
    };

    const partitionOf = createPartitioner(PARTITIONS.length);
    const indicesIn = (partitions: ReadonlySet<number>) =>
      new Set(values.flatMap((value, index) => (partitions.has(partitionOf(value)) ? [index] : [])));

    const settle = async () => {
      for (let round = 0; round < 20; round += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    /** How a batch ends, and after how many milliseconds. */
    async function endOf(publishing: Promise<void>): Promise<{ error: unknown; ms: number }> {
      let ended: { error: unknown } | null = null;
      publishing.then(
        () => {
          ended = { error: null };
        },
        (error: unknown) => {
          ended = { error };
        },
      );
      for (let ms = 0; ; ms += 100) {
        await settle();
        if (ended !== null) return { ...(ended as { error: unknown }), ms };
        pass(100);
      }
    }

    for (const leader of [null, 1])
      for (const without of [[1], [1, 2]])
        it(`appends the others at most twice and names those of partitions ${without} (one leader: ${leader !== null})`, async () => {
          const cluster = aCluster(leader);
          cluster.withoutReplicas = new Set(without);
          const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
          const { error, ms } = await endOf(publisher.publish(messages));
          expect(error).to.be.instanceOf(NotAppended);
          expect((error as NotAppended).indices).to.deep.equal(indicesIn(cluster.withoutReplicas));
          expect((error as NotAppended).cause).to.have.nested.property('cause.type', 'NOT_ENOUGH_REPLICAS');
          const copies = Map.groupBy(cluster.stored, ({ value }) => value);
          expect([...copies.keys()]).to.have.members(
            values.filter((value) => !without.includes(partitionOf(value))),
          );
          for (const [value, { length }] of copies) expect(length, value).to.be.at.most(2);
          expect(ms).to.equal(3_100);
        });

    // Regression: all were reported as not appended, so the outbox published those of other topics again every 15 seconds.
    it('names the messages of a topic that may not be written, and appends the others twice, and once from then on', async () => {
      const cluster = aCluster(1);
      cluster.forbidden = new Set(['b']);
      const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
      const ofB = messages.map((message) => ({ ...message, topic: 'b' }));
      for (const copies of [2, 1]) {
        cluster.stored.length = 0;
        const { error } = await endOf(publisher.publish([...messages, ...ofB]));
        const indices = new Set(values.map((_, index) => values.length + index));
        expect((error as NotAppended).indices).to.deep.equal(indices);
        expect((error as NotAppended).cause).to.have.property('type', 'TOPIC_AUTHORIZATION_FAILED');
        expect(cluster.stored).to.have.length(copies * values.length);
      }
    });

    it('rejects with the error at once if no message may be written', async () => {
      const cluster = aCluster();
      cluster.forbidden = new Set(['a']);
      const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
      const { error, ms } = await endOf(publisher.publish(messages));
      expect(error).to.have.property('type', 'TOPIC_AUTHORIZATION_FAILED');
      expect(ms).to.equal(0);
    });

    it('appends the others if a partition has no leader, and names its messages', async () => {
      const cluster = aCluster();
      cluster.leaders.set(1, NO_LEADER);
      const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
      const { error } = await endOf(publisher.publish(messages));
      const without = indicesIn(new Set([1]));
      expect((error as NotAppended).indices).to.deep.equal(without);
      expect(cluster.stored).to.have.length(values.length - without.size);
      cluster.leaders.set(1, 2);
      expect(await endOf(publisher.publish(messages))).to.include({ error: null });
    });

    it('names messages that were appended to too few replicas as not appended, so that they are published again', async () => {
      const cluster = aCluster();
      cluster.withoutReplicas = new Set([1]);
      cluster.appendsBefore = true;
      const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
      const { error } = await endOf(publisher.publish(messages));
      expect(error).to.be.instanceOf(NotAppended);
      expect((error as NotAppended).indices).to.deep.equal(indicesIn(cluster.withoutReplicas));
      const cause = 'NOT_ENOUGH_REPLICAS_AFTER_APPEND';
      expect((error as NotAppended).cause).to.have.nested.property('cause.type', cause);
      cluster.withoutReplicas.clear();
      expect(await endOf(publisher.publish(messages))).to.include({ error: null });
    });

    it('tries a partition whose tries have all failed once, beside the others, until one succeeds', async () => {
      const cluster = aCluster();
      cluster.withoutReplicas = new Set([1]);
      const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
      await endOf(publisher.publish(messages));
      cluster.stored.length = 0;
      cluster.requests = 0;
      const { error, ms } = await endOf(publisher.publish(messages));
      expect((error as NotAppended).indices).to.deep.equal(indicesIn(cluster.withoutReplicas));
      expect([ms, cluster.requests, cluster.stored.length]).to.deep.equal([
        0,
        PARTITIONS.length,
        values.length - indicesIn(cluster.withoutReplicas).size,
      ]);
      cluster.withoutReplicas.clear();
      for (const isBack of [false, true]) {
        cluster.requests = 0;
        expect(await endOf(publisher.publish(messages)), `${isBack}`).to.deep.equal({ error: null, ms: 0 });
        expect(cluster.requests).to.equal(PARTITIONS.length);
      }
    });

    it('delays messages to other brokers by one that hangs for two tries, and for a second from then on', async () => {
      const cluster = aCluster();
      cluster.hanging = 2;
      const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
      const publish = () => endOf(publisher.publish(messages));
      const ends = [await publish(), await publish(), await publish()];
      expect(ends.map(({ ms }) => ms)).to.deep.equal([60_100, 1_000, 0]);
      for (const { error } of ends)
        expect((error as NotAppended).indices).to.deep.equal(indicesIn(new Set([1])));
      cluster.hanging = null;
      expect((await publish()).error, 'while a try is in progress').to.be.instanceOf(NotAppended);
      pass(REQUEST_TIMEOUT_MS);
      await settle();
      expect(await publish()).to.deep.equal({ error: null, ms: 0 });
    });

    it('resolves once the last partition is appended', async () => {
      const cluster = aCluster(1);
      cluster.withoutReplicas = new Set([1]);
      const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
      const publishing = publisher.publish(messages);
      setTimeout(() => cluster.withoutReplicas.clear(), 500);
      expect(await endOf(publishing)).to.deep.equal({ error: null, ms: 700 });
      expect(new Set(cluster.stored.map(({ value }) => value))).to.deep.equal(new Set(values));
    });

    it('rejects as the client does if nothing is appended', async () => {
      const cluster = aCluster();
      cluster.withoutReplicas = new Set(PARTITIONS);
      const publisher = await connectPublisher(cluster.kafka, createTopicNames(''));
      const { error } = await endOf(publisher.publish(messages));
      expect(error).to.be.instanceOf(kafkajs.KafkaJSNumberOfRetriesExceeded);
    });
  });
});
