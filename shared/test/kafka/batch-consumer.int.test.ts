import { expect } from 'chai';
import type { Admin } from 'kafkajs';
import {
  type BatchConsumer,
  type BatchConsumerParts,
  startBatchConsumer,
} from '../../src/kafka/batch-consumer.js';
import { connectPublisher, type Publisher } from '../../src/kafka/publisher.js';
import type { ReadRecord } from '../../src/kafka/read-record.js';
import { RETRY_TOPICS } from '../../src/ports/topics.js';
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
  const unused = [...RETRY_TOPICS];
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

  async function consume(handle: Handle): Promise<BatchConsumer> {
    const fail = (reason: string) => {
      throw new Error(reason);
    };
    const parts = {
      ...world,
      groupId: `of-${topic}`,
      topic,
      sessionTimeoutMs: 6_000,
      crashBefore: createFailpoints([]),
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

  it('reports that it has joined and is alive', async () => {
    const consumer = await consume(async () => undefined);
    expect([consumer.hasJoined(), consumer.alive()]).to.deep.equal([true, true]);
  });
});
