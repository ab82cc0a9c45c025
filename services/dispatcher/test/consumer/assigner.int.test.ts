import { randomUUID } from 'node:crypto';
import '@postrider/shared/kafka/connect';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type Consumer, Kafka, logLevel } from 'kafkajs';
import { createStickyAssigner } from '../../src/consumer/assigner.js';

const PARTITIONS = 8;
const PATIENCE_MS = 30_000;

type Assignment = Readonly<Record<string, readonly number[]>>;

interface Member {
  readonly consumer: Consumer;
  readonly assignment: () => Assignment;
}

const HOLDS_NOTHING = { owned: () => [], generation: () => 0 };

describe('sticky assigner in a consumer group', () => {
  const prefix = `assigner-${randomUUID().slice(0, 8)}`;
  const topics = [`${prefix}.deliveries`, `${prefix}.retries`];
  const kafka = new Kafka({
    brokers: (process.env.KAFKA_BROKERS ?? '').split(','),
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 50, retries: 20 },
  });
  const admin = kafka.admin();
  const started: Consumer[] = [];

  before(async () => {
    await admin.connect();
    await create(topics, PARTITIONS);
  });
  after(async () => {
    await Promise.all(started.map((consumer) => consumer.disconnect()));
    await admin.deleteTopics({ topics });
    await admin.disconnect();
  });

  async function create(names: string[], numPartitions: number): Promise<void> {
    // The client itself waits for leaders only once the broker knows the topics.
    await admin.createTopics({
      topics: names.map((topic) => ({ topic, numPartitions })),
      waitForLeaders: false,
    });
    await eventually(() => admin.fetchTopicMetadata({ topics: names }));
  }

  async function join(): Promise<Member> {
    let assignment: Assignment = {};
    let generation = 0;
    const owned = () => assignment[topics[0]!] ?? [];
    const consumer = kafka.consumer({
      groupId: prefix,
      partitionAssigners: [createStickyAssigner({ owned, generation: () => generation })],
      heartbeatInterval: 100,
      sessionTimeout: 10_000,
      rebalanceTimeout: 5_000,
      maxWaitTimeInMs: 50,
    });
    started.push(consumer);
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      assignment = payload.memberAssignment;
    });
    consumer.on(consumer.events.HEARTBEAT, ({ payload }) => {
      generation = payload.groupGenerationId;
    });
    await consumer.connect();
    await consumer.subscribe({ topics, fromBeginning: true });
    await consumer.run({ autoCommit: false, eachBatch: async () => {} });
    return { consumer, assignment: () => assignment };
  }

  it('keeps the topics of an index together and moves as few indices as possible when members join and leave', async () => {
    const first = await join();
    const [alone] = await balanced([first]);
    expect(alone).to.have.length(PARTITIONS);

    const second = await join();
    const [ofFirst = [], ofSecond = []] = await balanced([first, second]);
    expect(alone).to.include.members(ofFirst);

    const third = await join();
    const [first3 = [], second3 = [], third3 = []] = await balanced([first, second, third]);
    expect(ofFirst).to.include.members(first3);
    expect(ofSecond).to.include.members(second3);
    expect(third3).to.have.length(Math.floor(PARTITIONS / 3));

    await first.consumer.disconnect();
    const [second2 = [], third2 = []] = await balanced([second, third]);
    expect(second2).to.include.members(second3);
    expect(third2).to.include.members(third3);
  }).timeout(2 * PATIENCE_MS);

  it('fails if the topics have different partition counts', async () => {
    const uneven = `${prefix}.uneven`;
    await create([uneven], 3);
    const consumer = kafka.consumer({
      groupId: uneven,
      partitionAssigners: [createStickyAssigner(HOLDS_NOTHING)],
      retry: { restartOnFailure: async () => true },
    });
    started.push(consumer);
    const crash = new Promise<{ error: Error; restart: boolean }>((crashed) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => crashed(payload));
    });
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics, uneven], fromBeginning: true });
    await consumer.run({ eachBatch: async () => {} });
    const { error, restart } = await crash;
    expect(restart).to.equal(false);
    expect(error.message).to.contain(`${topics[0]} has ${PARTITIONS}`).and.contain(`${uneven} has 3`);
    await admin.deleteTopics({ topics: [uneven] });
  }).timeout(PATIENCE_MS);

  it('is not called for a missing topic, because subscribing to it fails', async () => {
    const consumer = kafka.consumer({
      groupId: `${prefix}.missing`,
      allowAutoTopicCreation: false,
      partitionAssigners: [createStickyAssigner(HOLDS_NOTHING)],
    });
    started.push(consumer);
    await consumer.connect();
    const failure = await consumer.subscribe({ topic: `${prefix}.missing` }).catch((error: unknown) => error);
    expect(failure).to.include({ type: 'UNKNOWN_TOPIC_OR_PARTITION' });
  });
});

/** Waits until the members share all indices evenly, the same ones of both topics. @returns the indices of each member */
function balanced(members: readonly Member[]): Promise<readonly (readonly number[])[]> {
  return eventually(() => {
    const shares = members.map(({ assignment }) => indicesOf(assignment()));
    expect([...shares.flat()].sort((a, b) => a - b)).to.deep.equal([...Array(PARTITIONS).keys()]);
    const even = PARTITIONS / members.length;
    for (const share of shares) expect(share).to.have.length.within(Math.floor(even), Math.ceil(even));
    return shares;
  }, PATIENCE_MS);
}

function indicesOf(assignment: Assignment): readonly number[] {
  const [deliveries = [], retries = []] = Object.keys(assignment)
    .sort()
    .map((topic) => assignment[topic] ?? []);
  expect(retries).to.deep.equal(deliveries);
  return deliveries;
}
