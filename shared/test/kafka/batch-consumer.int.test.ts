import { expect } from 'chai';
import type { Admin, Consumer, TopicPartitionOffsetAndMetadata } from 'kafkajs';
import {
  type BatchConsumer,
  type BatchConsumerParts,
  startBatchConsumer,
} from '../../src/kafka/batch-consumer.js';
import { countResets, isLostSince } from '../../src/kafka/lost-positions.js';
import { connectPublisher, type Publisher } from '../../src/kafka/publisher.js';
import type { ReadRecord } from '../../src/kafka/read-record.js';
import { DEAD_LETTER_TOPIC, DELIVERIES_TOPIC, RETRY_TOPICS } from '../../src/ports/topics.js';
import { createFailpoints } from '../../src/runtime/failpoints.js';
import { sleep } from '../../src/runtime/sleep.js';
import { eventually } from '../../src/testing/eventually.js';
import { type TestWorld, testWorld } from '../../src/testing/test-world.js';

type Handle = BatchConsumerParts['handle'];

describe('batch consumer', () => {
  let world: TestWorld;
  let publisher: Publisher;
  let admin: Admin;
  let running: BatchConsumer[] = [];
  let warned: unknown[] = [];
  /** Each test has its own topic and group. */
  let topic = '';
  const unused = [...RETRY_TOPICS, DELIVERIES_TOPIC, DEAD_LETTER_TOPIC];
  beforeEach(() => {
    topic = unused.shift()!;
    warned = [];
  });

  before(async () => {
    world = await testWorld();
    publisher = await connectPublisher(world.kafka, world.names);
    admin = world.kafka.admin();
    await admin.connect();
  });
  afterEach(async () => {
    await Promise.all(running.map((consumer) => consumer.stop()));
    running = [];
  });
  after(async () => {
    await Promise.all([admin?.disconnect(), publisher?.close()]);
    await world?.destroy();
  });

  async function consume(
    handle: Handle,
    crashBefore: BatchConsumerParts['crashBefore'] = createFailpoints([]),
  ): Promise<BatchConsumer> {
    const fail = (reason: string) => {
      throw new Error(reason);
    };
    const parts = {
      ...world,
      groupId: `of-${topic}`,
      topic,
      sessionTimeoutMs: 6_000,
      crashBefore,
      handle,
      log: { ...world.log, warn: (facts: object) => void warned.push(facts) },
      fail,
    };
    const consumer = await startBatchConsumer(parts);
    running.push(consumer);
    await consumer.joined;
    return consumer;
  }
  /** Publishes messages to one partition. */
  const send = (...values: string[]) =>
    publisher.publish(values.map((value) => ({ topic, key: 'same', value, headers: {} })));
  /** The committed offset of the group; -1 before the first commit. */
  async function committed() {
    const full = world.names.full(topic);
    const [found] = await admin.fetchOffsets({ groupId: world.names.full(`of-${topic}`), topics: [full] });
    return Math.max(...found!.partitions.map(({ offset }) => Number(offset)));
  }
  const valuesOf = (records: readonly ReadRecord[]) => records.map(({ value }) => `${value}`);

  it('commits a batch only after it is handled', async () => {
    await send('one', 'two', 'three');
    const handled = Promise.withResolvers<void>();
    const seen: string[] = [];
    await consume((records) => {
      seen.push(...valuesOf(records));
      return handled.promise;
    });
    await eventually(() => expect(seen).to.deep.equal(['one', 'two', 'three']));
    expect(await committed()).to.equal(-1);
    handled.resolve();
    await eventually(async () => expect(await committed()).to.equal(3));
  });

  it('retries a batch until it is handled and skips nothing', async () => {
    await send('one', 'two');
    const batches: string[][] = [];
    const commits: number[] = [];
    await consume(async (records) => {
      batches.push(valuesOf(records));
      commits.push(await committed());
      if (batches.length <= 2) throw new Error('the database is away');
    });
    await eventually(async () => expect(await committed()).to.equal(2));
    await send('three');
    await eventually(async () => expect(await committed()).to.equal(3));
    expect(batches).to.deep.equal([['one', 'two'], ['one', 'two'], ['one', 'two'], ['three']]);
    expect(commits).to.deep.equal([-1, -1, -1, 2]);
  });

  it('stops during retries and leaves the batch to the next consumer', async () => {
    await send('one');
    const tried = Promise.withResolvers<void>();
    const first = await consume(async () => {
      tried.resolve();
      throw new Error('the database is away');
    });
    await tried.promise;
    await first.stop();
    expect(await committed()).to.equal(-1);
    const seen: string[] = [];
    await consume(async (records) => {
      seen.push(...valuesOf(records));
    });
    await eventually(() => expect(seen).to.deep.equal(['one']));
  });

  it('continues at the committed offset of the previous consumer', async () => {
    await send('one', 'two');
    const first = await consume(async () => undefined);
    await eventually(async () => expect(await committed()).to.equal(2));
    await first.stop();
    const seen: string[] = [];
    await consume(async (records) => {
      seen.push(...valuesOf(records));
    });
    await send('three');
    await eventually(() => expect(seen).to.deep.equal(['three']));
  });

  it('does not treat a rebalance as a failure: the next owner handles the records', async () => {
    await send('one');
    const handling = Promise.withResolvers<void>();
    const seen: string[] = [];
    let isFirst = true;
    const handle: Handle = async (records, heartbeat) => {
      handling.resolve();
      while (isFirst) {
        await heartbeat().catch((error: Error) => {
          isFirst = false;
          throw error;
        });
        await sleep(20);
      }
      seen.push(...valuesOf(records));
    };
    await consume(handle);
    await handling.promise;
    await consume(handle);
    await eventually(async () => expect(await committed()).to.equal(1));
    expect(seen).to.deep.equal(['one']);
    expect(warned).to.deep.equal([]);
  });

  describe('whose topic is recreated', () => {
    /** Calls this instead of each commit. */
    type Commit = (offsets: readonly string[], commit: () => Promise<void>) => Promise<void>;
    let end = () => {};
    afterEach(() => end());

    /** Handles the messages of the old topic, and does not finish those of the new one before `end`. */
    async function consumeOld(commit: Commit) {
      await send('old 0', 'old 1', 'old 2', 'old 3', 'old 4');
      const seen: string[] = [];
      const ended = Promise.withResolvers<void>();
      const handle: Handle = async (records) => {
        seen.push(...valuesOf(records));
        if (seen.includes('new')) await ended.promise;
      };
      const beforeCommit =
        (_: string, commitOffsets: Consumer['commitOffsets']) =>
        async (positions: TopicPartitionOffsetAndMetadata[]) =>
          commit(
            positions.map(({ offset }) => offset),
            () => commitOffsets(positions),
          );
      await consume(handle, beforeCommit as BatchConsumerParts['crashBefore']);
      await eventually(() => expect(seen).to.have.length(5));
      end = ended.resolve;
      return seen;
    }
    async function recreate() {
      const full = world.names.full(topic);
      const {
        topics: [found],
      } = await admin.fetchTopicMetadata({ topics: [full] });
      await admin.deleteTopics({ topics: [full] });
      await eventually(async () => expect(await admin.listTopics()).not.to.include(full));
      await admin.createTopics({ topics: [{ topic: full, numPartitions: found!.partitions.length }] });
      await send('new');
    }

    /** Whether the client is resetting the position in one of the two partitions of the topic. */
    function isPositionBeingReset() {
      const [groupId, full] = [world.names.full(`of-${topic}`), world.names.full(topic)];
      return [0, 1].some((partition) => isLostSince(countResets(), groupId, { topic: full, partition }));
    }

    it('commits no offset of the old topic for the new one', async () => {
      let isRefused = true;
      const tried: string[] = [];
      const seen = await consumeOld(async (offsets, commit) => {
        if (isRefused) throw new Error('refused');
        tried.push(...offsets);
        await commit();
      });
      await recreate();
      await eventually(() => expect(seen).to.include('new'));
      isRefused = false;
      // Longer than the interval between commits.
      await sleep(1_500);
      end();
      await eventually(async () => expect(await committed()).to.equal(1));
      expect(tried).to.deep.equal(['1']);
    });

    it('resets its committed offset only after a commit that was in progress', async function () {
      this.timeout(60_000);
      const isHeld = Promise.withResolvers<void>();
      const ended: string[] = [];
      await consumeOld(async (offsets, commit) => {
        isHeld.resolve();
        if (ended.length === 0) {
          await eventually(() => expect(isPositionBeingReset()).to.equal(true), 30_000);
          // The client resets the position well within this time unless it waits.
          await sleep(1_000);
        }
        await commit();
        ended.push(...offsets);
      });
      await isHeld.promise;
      await recreate();
      await eventually(() => expect(ended).to.deep.equal(['5']), 35_000);
      await eventually(async () => expect(await committed()).to.equal(-1));
      end();
      await eventually(async () => expect(await committed()).to.equal(1));
    });
  });

  it('reports that it has joined and is alive', async () => {
    const consumer = await consume(async () => undefined);
    expect([consumer.hasJoined(), consumer.alive()]).to.deep.equal([true, true]);
  });
});
