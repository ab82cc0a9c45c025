import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { connectPublisher, type Publisher } from '@postrider/shared/kafka/publisher';
import { toDeliveryDocument, toDocument } from '@postrider/shared/mongo/documents';
import { DEAD_LETTER_TOPIC, NOTIFICATIONS_TOPIC, QUARANTINE_TOPIC } from '@postrider/shared/ports/topics';
import { eventually } from '@postrider/shared/testing/eventually';
import { storedAttempts } from '@postrider/shared/testing/stored-attempts';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { topicReader } from '@postrider/shared/testing/topic-reader';
import { expect } from 'chai';
import { readConfig } from '../src/config.js';
import { startDlqConsumer } from '../src/service.js';
import { anEndpoint, anExhaustedDelivery, messageOf } from './builders.js';

const ENDPOINTS = ['orders', 'invoices', 'refunds'] as const;
const DEAD_LETTERS = 240;

/** The backlog after a long outage. */
describe('dead-letter consumer with a backlog', () => {
  let world: TestWorld;
  let publisher: Publisher;
  beforeEach(async () => {
    world = await testWorld();
    publisher = await connectPublisher(world.kafka, world.names);
    await world.database.collections.endpoints.insertMany(
      ENDPOINTS.map((name) => toDocument(anEndpoint(name))),
    );
  });
  afterEach(async () => {
    await publisher?.close();
    await world?.destroy();
  });

  const start = (log = world.log) =>
    startDlqConsumer(readConfig({ ...world.env, HEALTH_PORT: '0' }), log, {
      fail(reason) {
        throw new Error(reason);
      },
    });
  async function waiting(count: number, again = 0) {
    const deliveries = Array.from({ length: count }, (_, n) =>
      anExhaustedDelivery({ name: String(n), of: ENDPOINTS[n % ENDPOINTS.length]! }),
    );
    await world.database.collections.deliveries.insertMany(deliveries.map(toDeliveryDocument));
    const queued = deliveries.map((delivery) => ({ topic: DEAD_LETTER_TOPIC, message: messageOf(delivery) }));
    await createEnqueue(publisher.publish)([...queued, ...queued.slice(0, again)]);
    return deliveries;
  }
  const ended = () => world.database.collections.deliveries.countDocuments({ status: 'dead_lettered' });

  it('ends deliveries in groups, each once, with one notification per outage', async () => {
    await waiting(DEAD_LETTERS, 10);
    await publisher.publish([{ topic: DEAD_LETTER_TOPIC, key: 'any', value: 'unreadable', headers: {} }]);
    const [notifications, quarantine] = await Promise.all([
      topicReader(world, NOTIFICATIONS_TOPIC),
      topicReader(world, QUARANTINE_TOPIC),
    ]);
    const consumer = await start();
    await eventually(async () => expect(await ended()).to.equal(DEAD_LETTERS));
    const { notifications: stored, outbox } = world.database.collections;
    const attempts = await storedAttempts(world.database.collections);
    expect(attempts).to.have.length(DEAD_LETTERS);
    // All writes of a transaction have the same time.
    expect(new Set(attempts.map(({ attemptedAt }) => attemptedAt.getTime())).size).to.be.below(
      DEAD_LETTERS / 4,
    );
    expect(await stored.countDocuments()).to.equal(ENDPOINTS.length);
    await eventually(async () => {
      expect(notifications.records).to.have.length(ENDPOINTS.length);
      expect(quarantine.records.map(({ value }) => `${value}`)).to.deep.equal(['unreadable']);
      expect(await outbox.countDocuments()).to.equal(0);
    });
    await Promise.all([consumer.stop(), notifications.stop(), quarantine.stop()]);
  });

  it('skips the one row that the database rejects', async () => {
    const deliveries = await waiting(30);
    const poison = deliveries[7]!;
    const validate = (validator: object) => world.database.db.command({ collMod: 'deliveries', validator });
    await validate({ $or: [{ _id: { $ne: poison.id } }, { status: { $ne: 'dead_lettered' } }] });
    const refused: unknown[] = [];
    const log = Object.create(world.log, {
      error: {
        value: (facts: { event: string; deliveryId: string }) =>
          refused.push([facts.event, facts.deliveryId]),
      },
    });
    const consumer = await start(log);
    const later = anExhaustedDelivery({ name: 'later' });
    await world.database.collections.deliveries.insertOne(toDeliveryDocument(later));
    const send = (...some: (typeof later)[]) =>
      createEnqueue(publisher.publish)(
        some.map((one) => ({ topic: DEAD_LETTER_TOPIC, message: messageOf(one) })),
      );
    await send(later);
    await eventually(async () => expect(await ended()).to.equal(30));
    await eventually(() => expect(refused).to.deep.include(['dead_letter.poisoned', poison.id]));
    expect(await storedAttempts(world.database.collections, { deliveryId: poison.id })).to.deep.equal([]);
    await validate({});
    await send(poison);
    await eventually(async () => expect(await ended()).to.equal(31));
    await consumer.stop();
  });
});
