import { expect } from 'chai';
import type { Producer, Transaction } from 'kafkajs';
import { connectPartitionReader, type PartitionReader } from '../../src/kafka/partition-reader.js';
import { EVENTS_TOPIC } from '../../src/ports/topics.js';
import { eventually } from '../../src/testing/eventually.js';
import { type TestWorld, testWorld } from '../../src/testing/test-world.js';
import { type TopicReader, topicReader } from '../../src/testing/topic-reader.js';

const LIKE_A_MARKER = Buffer.alloc(4);

describe('overlapping transactions of other producers', () => {
  let world: TestWorld;
  let group: TopicReader;
  let reader: PartitionReader;
  const producers: Producer[] = [];

  const begin = async (name: string): Promise<Transaction> => {
    const producer = world.kafka.producer({
      transactionalId: world.names.full(name),
      maxInFlightRequests: 1,
    });
    producers.push(producer);
    await producer.connect();
    return producer.transaction();
  };
  const send = (transaction: Transaction, value: string, key: Buffer | null = null) =>
    transaction.send({
      topic: world.names.full(EVENTS_TOPIC),
      messages: [{ key, value, partition: 0 }],
    });

  before(async () => {
    world = await testWorld();
    group = await topicReader(world, EVENTS_TOPIC);
    reader = await connectPartitionReader({ ...world, topic: EVENTS_TOPIC });
    const [one, other, committed] = [await begin('one'), await begin('other'), await begin('committed')];
    await send(one, 'aborted');
    await send(other, 'aborted', LIKE_A_MARKER);
    await send(one, 'aborted');
    await send(other, 'aborted');
    await send(committed, 'first');
    await other.abort();
    await send(one, 'aborted');
    await one.abort();
    await send(committed, 'last');
    await committed.commit();
  });
  after(async () => {
    for (const producer of producers) await producer.disconnect();
    await reader?.close();
    await group?.stop();
    await world?.destroy();
  });

  // Regression: events of aborted transactions were delivered.
  it('pass on only committed records to a group', async () => {
    const values = () => group.records.map(({ value }) => String(value));
    await eventually(() => expect(values()).to.include('last'));
    expect(values()).to.deep.equal(['first', 'last']);
  });

  for (const from of [0, 1, 2, 3]) {
    it(`pass on only committed records to a reader that begins at record ${from}`, async () => {
      const { records } = await reader.fetch(new Map([[0, from]]), 1_000);
      expect(records.map(({ value }) => String(value))).to.deep.equal(['first', 'last']);
    });
  }
});
