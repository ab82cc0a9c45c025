import { expect } from 'chai';
import { createPartitioner } from '../../src/kafka/partition-of.js';
import { connectPublisher, type Publisher } from '../../src/kafka/publisher.js';
import { type OutgoingMessage, RecordRefused } from '../../src/ports/queue.js';
import { DELIVERIES_TOPIC, EVENTS_TOPIC, QUARANTINE_TOPIC } from '../../src/ports/topics.js';
import { idFor } from '../../src/testing/builders.js';
import { eventually } from '../../src/testing/eventually.js';
import { type TestWorld, testWorld } from '../../src/testing/test-world.js';
import { type TopicReader, topicReader } from '../../src/testing/topic-reader.js';

const TOO_LARGE = Buffer.alloc(1_100_000, 'x');

describe('publisher', () => {
  let world: TestWorld;
  let publisher: Publisher;
  let deliveries: TopicReader;
  let events: TopicReader;

  before(async () => {
    world = await testWorld();
    publisher = await connectPublisher(world.kafka, world.names);
    deliveries = await topicReader(world, DELIVERIES_TOPIC);
    events = await topicReader(world, EVENTS_TOPIC);
  });
  after(async () => {
    await Promise.all([deliveries?.stop(), events?.stop(), publisher?.close()]);
    await world?.destroy();
  });

  const message = (overrides: Partial<OutgoingMessage>): OutgoingMessage => {
    return { topic: DELIVERIES_TOPIC, key: 'a', value: 'b', headers: {}, ...overrides };
  };
  const valuesOf = ({ records }: TopicReader) => records.map(({ value }) => value?.toString());

  it('appends to several topics in one call with key, value and headers', async () => {
    await publisher.publish([
      message({ key: 'one', value: 'first', headers: { ce_id: 'evt_1', many: ['x', Buffer.from([255])] } }),
      message({ topic: EVENTS_TOPIC, key: Buffer.from([1, 2]), value: Buffer.from([0, 255]) }),
    ]);
    const [delivery, event] = await eventually(() => {
      expect(deliveries.records).to.have.length(1);
      expect(events.records).to.have.length(1);
      return [deliveries.records[0]!, events.records[0]!];
    });
    expect(delivery.key?.toString()).to.equal('one');
    expect(delivery.headers).to.deep.equal({ ce_id: 'evt_1', many: 'x' });
    expect(delivery.rawHeaders.many).to.deep.equal([Buffer.from('x'), Buffer.from([255])]);
    expect(event.key).to.deep.equal(Buffer.from([1, 2]));
    expect(event.value).to.deep.equal(Buffer.from([0, 255]));
  });

  it('succeeds without messages', async () => {
    await publisher.publish([]);
  });

  it('appends each key to the partition that other clients compute', async () => {
    const keys = Array.from({ length: 40 }, (_, n) => idFor('endpoint', `${n}`));
    await publisher.publish(keys.map((key) => message({ key, value: 'routed' })));
    const routed = await eventually(() => {
      const found = deliveries.records.filter(({ value }) => value?.toString() === 'routed');
      expect(found).to.have.length(40);
      return found;
    });
    const expected = createPartitioner(2);
    for (const { key, partition } of routed) expect(partition).to.equal(expected(`${key}`));
    expect(new Set(routed.map(({ partition }) => partition)).size).to.equal(2);
  });

  it('rejects a record that is too large with RecordRefused and appends the next one', async () => {
    const error = await publisher.publish([message({ value: TOO_LARGE })]).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RecordRefused).with.property('message', 'MESSAGE_TOO_LARGE');
    await publisher.publish([message({ value: 'after the large one' })]);
    await eventually(() => expect(valuesOf(deliveries)).to.include('after the large one'));
  });

  it('rejects with RecordRefused if one record of many is too large', async () => {
    const many = [message({ value: 'small' }), message({ value: TOO_LARGE, topic: QUARANTINE_TOPIC })];
    const error = await publisher.publish(many).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RecordRefused);
  });

  it('does not reject with RecordRefused for a missing topic', async () => {
    const lost = [message({ topic: 'webhook.nowhere' })];
    const error = await publisher.publish(lost).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error).and.not.to.be.instanceOf(RecordRefused);
  });
});
