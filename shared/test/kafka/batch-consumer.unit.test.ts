import { expect } from 'chai';
import type { ConsumerRunConfig, EachBatchPayload, Kafka } from 'kafkajs';
import { startBatchConsumer } from '../../src/kafka/batch-consumer.js';
import { patchFetchWait } from '../../src/kafka/fetch-wait.js';
import { patchLostPositions } from '../../src/kafka/lost-positions.js';
import { createTopicNames } from '../../src/kafka/topic-names.js';
import { createFailpoints } from '../../src/runtime/failpoints.js';

describe('batch consumer without a broker', () => {
  it('resolves no offset of a batch if the position of its partition is lost meanwhile', async () => {
    const batch = {
      topic: 'events',
      partition: 0,
      rawMessages: [1],
      messages: [{ offset: '9', timestamp: '0', key: null, value: null, headers: {} }],
      lastOffset: () => '9',
    };
    class Group {
      readonly groupId = 'batches';
      maxWaitTime = 500;
      offsetManager = {};
      constructor(groupId: string) {
        expect(this.groupId).to.equal(groupId);
      }
      async fetch(_broker: number) {
        expect([this.maxWaitTime, this.offsetManager]).to.have.length(2);
        return [batch];
      }
      async recoverFromOffsetOutOfRange(_lost: typeof batch) {
        expect(this.offsetManager).to.be.an('object');
      }
    }
    patchFetchWait(Group);
    patchLostPositions(Group);
    const group = new Group('batches');
    let eachBatch: ConsumerRunConfig['eachBatch'];
    const consumer = {
      events: {},
      on() {},
      async connect() {},
      async subscribe() {},
      async run(config: ConsumerRunConfig) {
        eachBatch = config.eachBatch;
      },
      async commitOffsets() {},
      async disconnect() {},
    };
    let whileHandled = async () => {};
    const started = await startBatchConsumer({
      kafka: { consumer: () => consumer } as unknown as Kafka,
      names: createTopicNames(''),
      sessionTimeoutMs: 6_000,
      groupId: 'batches',
      topic: 'events',
      handle: () => whileHandled(),
      crashBefore: createFailpoints([]),
      log: { debug() {}, info() {}, warn() {}, error() {} },
      fail() {},
    });
    const resolved: string[] = [];
    const handleNext = async () => {
      const [fetched] = await group.fetch(1);
      await eachBatch?.({
        batch: fetched,
        heartbeat: async () => {},
        isRunning: () => true,
        resolveOffset: (offset: string) => resolved.push(offset),
      } as unknown as EachBatchPayload);
    };
    whileHandled = () => group.recoverFromOffsetOutOfRange(batch);
    await handleNext();
    expect(resolved).to.deep.equal([]);
    whileHandled = async () => {};
    await handleNext();
    expect(resolved).to.deep.equal(['9']);
    await started.stop();
  });
});
