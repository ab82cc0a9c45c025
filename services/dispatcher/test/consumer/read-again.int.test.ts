import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { createReadAgain, type ReadAgain } from '../../src/consumer/read-again.js';

describe('events that are read again', () => {
  let world: TestWorld;
  let again: ReadAgain;
  before(async () => {
    world = await testWorld();
    again = createReadAgain(world);
    const topic = world.names.full(EVENTS_TOPIC);
    const [producer, admin] = [world.kafka.producer(), world.kafka.admin()];
    await Promise.all([producer.connect(), admin.connect()]);
    const messages = Array.from({ length: 10 }, (_, n) => ({ partition: 0, value: `${n}` }));
    await producer.send({ topic, messages });
    // The client deletes only records of a topic that it knows.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '5' }] });
    await Promise.all([producer.disconnect(), admin.disconnect()]);
  });
  after(async () => {
    await again?.close();
    await world?.destroy();
  });

  const read = (offset: number) => again.read({ topic: EVENTS_TOPIC, partition: 0, offset });

  it('begin with the given one', async () => {
    const records = (await read(5)) as readonly ReadRecord[];
    expect(records.map(({ offset }) => offset)).to.deep.equal([5, 6, 7, 8, 9]);
  });

  it('are replaced by the first offset that is stored, if the broker has removed them', async () => {
    expect(await read(2)).to.deep.equal({ start: 5 });
  });

  it('are none beyond the end, where a topic was recreated', async () => {
    expect(await read(100)).to.deep.equal([]);
  });
});
