import { expect } from 'chai';
import kafkajs from 'kafkajs';
import { connectPublisher, type Publisher } from '../../src/kafka/publisher.js';
import { createQuarantine } from '../../src/kafka/quarantine.js';
import type { Publish } from '../../src/ports/queue.js';
import { EVENTS_TOPIC, QUARANTINE_TOPIC } from '../../src/ports/topics.js';
import { eventually } from '../../src/testing/eventually.js';
import { type TestWorld, testWorld } from '../../src/testing/test-world.js';
import { type TopicReader, topicReader } from '../../src/testing/topic-reader.js';

describe('quarantine', () => {
  let world: TestWorld;
  let publisher: Publisher;
  let events: TopicReader;
  let aside: TopicReader;
  before(async () => {
    world = await testWorld();
    publisher = await connectPublisher(world.kafka, world.names);
    [events, aside] = await Promise.all([
      topicReader(world, EVENTS_TOPIC),
      topicReader(world, QUARANTINE_TOPIC),
    ]);
  });
  after(async () => {
    await Promise.all([events?.stop(), aside?.stop(), publisher?.close()]);
    await world?.destroy();
  });

  /** Publishes a message, reads it, quarantines it and reads the copy. */
  async function putAside(message: kafkajs.Message, reason: string) {
    const before = { events: events.records.length, aside: aside.records.length };
    const producer = world.kafka.producer();
    await producer.connect();
    await producer.send({
      topic: world.names.full(EVENTS_TOPIC),
      messages: [message],
      compression: kafkajs.CompressionTypes.GZIP,
    });
    await producer.disconnect();
    const [record] = await eventually(() => {
      expect(events.records.length).to.equal(before.events + 1);
      return events.records.slice(before.events);
    });
    await createQuarantine(publisher.publish, world.log)(record!, reason);
    const [copy] = await eventually(() => {
      expect(aside.records.length).to.equal(before.aside + 1);
      return aside.records.slice(before.aside);
    });
    return { record: record!, copy: copy! };
  }

  it('publishes key, value and headers unchanged, with the origin and the reason', async () => {
    const binary = Buffer.from([0xff, 0xfe, 0x00]);
    const headers = { ce_type: 'unheard.of', binary, twice: ['one', 'two'] };
    const { record, copy } = await putAside({ key: binary, value: binary, headers }, 'no event type');
    expect(copy.key).to.deep.equal(binary);
    expect(copy.value).to.deep.equal(binary);
    expect(copy.rawHeaders).to.deep.equal({
      ce_type: Buffer.from('unheard.of'),
      binary,
      twice: [Buffer.from('one'), Buffer.from('two')],
      'origin-topic': Buffer.from('workspace.events'),
      'origin-partition': Buffer.from(`${record.partition}`),
      'origin-offset': Buffer.from(`${record.offset}`),
      reason: Buffer.from('no event type'),
    });
  });

  // Regression: such a message could not be encoded, so it was quarantined again and again.
  it('publishes a header that is named like the prototype', async () => {
    const { copy } = await putAside({ value: 'x', headers: { ['__proto__']: 'one' } }, 'no event type');
    expect(Object.entries(copy.rawHeaders)[0]).to.deep.equal(['__proto__', Buffer.from('one')]);
  });

  it('publishes a message without key and value', async () => {
    const { copy } = await putAside({ key: null, value: null }, 'empty');
    expect(copy).to.deep.include({ key: null, value: null });
    expect(copy.headers.reason).to.equal('empty');
  });

  it('publishes only the origin of a message that is too large', async () => {
    const value = Buffer.alloc(2_000_000, 'x');
    const { record, copy } = await putAside({ key: 'large', value }, 'no JSON');
    expect(record.value?.length).to.equal(2_000_000);
    expect(copy).to.deep.include({ key: null, value: null });
    expect(copy.headers).to.deep.equal({
      'origin-topic': 'workspace.events',
      'origin-partition': `${record.partition}`,
      'origin-offset': `${record.offset}`,
      reason: 'no JSON',
      'left-out': 'MESSAGE_TOO_LARGE',
    });
  });

  it('truncates a long reason', async () => {
    const { copy } = await putAside({ value: '{}' }, `occurredAt ${'9'.repeat(3_000_000)} is not a date`);
    expect(copy.headers.reason)
      .to.match(/^occurredAt 9+$/)
      .and.to.have.length(500);
  });

  function aLog() {
    const errors: object[] = [];
    return { ...world.log, errors, error: (facts: object) => void errors.push(facts) };
  }

  // Regression: each try logged that the message was quarantined, twice a second for each of them, while none was.
  it('rejects if the broker fails, so that the message is read again, and logs nothing', async () => {
    const down: Publish = async () => {
      throw new Error('no broker');
    };
    const log = aLog();
    const [record] = events.records;
    const error = await createQuarantine(down, log)(record!, 'empty').catch((reason: unknown) => reason);
    expect(error).to.have.property('message', 'no broker');
    expect(log.errors).to.deep.equal([]);
  });

  it('logs an error', async () => {
    const log = aLog();
    await createQuarantine(async () => undefined, log)(events.records[0]!, 'empty');
    expect(log.errors).to.deep.equal([
      {
        event: 'quarantined',
        topic: 'workspace.events',
        partition: events.records[0]!.partition,
        offset: 0,
        reason: 'empty',
        traceId: null,
      },
    ]);
  });
});
