import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { Delivery } from '@postrider/shared/domain/delivery';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { connectPublisher, type Publisher } from '@postrider/shared/kafka/publisher';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { fromDocument, toDeliveryDocument, toDocument } from '@postrider/shared/mongo/documents';
import { DEAD_LETTER_TOPIC, NOTIFICATIONS_TOPIC, QUARANTINE_TOPIC } from '@postrider/shared/ports/topics';
import type { Service } from '@postrider/shared/runtime/lifecycle';
import { eventually } from '@postrider/shared/testing/eventually';
import { storedAttempts } from '@postrider/shared/testing/stored-attempts';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { type TopicReader, topicReader } from '@postrider/shared/testing/topic-reader';
import { expect } from 'chai';
import { readConfig } from '../src/config.js';
import { startDlqConsumer } from '../src/service.js';
import { anEndpoint, anExhaustedDelivery, messageOf, OUTAGE } from './builders.js';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('dead-letter consumer', () => {
  let world: TestWorld;
  let publisher: Publisher;
  let notifications: TopicReader;
  let quarantine: TopicReader;
  let consumer: Service;
  let healthPort: number;
  let livenessPort: number;

  const start = () => {
    const ports = { HEALTH_PORT: `${healthPort}`, LIVENESS_PORT: `${livenessPort}` };
    return startDlqConsumer(readConfig({ ...world.env, ...ports }), world.log, {
      fail(reason) {
        throw new Error(reason);
      },
    });
  };
  before(async () => {
    [world, healthPort, livenessPort] = await Promise.all([testWorld(), freePort(), freePort()]);
    publisher = await connectPublisher(world.kafka, world.names);
    [notifications, quarantine, consumer] = await Promise.all([
      topicReader(world, NOTIFICATIONS_TOPIC),
      topicReader(world, QUARANTINE_TOPIC),
      start(),
    ]);
  });
  after(async () => {
    await Promise.all([consumer?.stop(), notifications?.stop(), quarantine?.stop()]);
    await publisher?.close();
    await world?.destroy();
  });

  async function store(...deliveries: Delivery[]) {
    await world.database.collections.deliveries.insertMany(deliveries.map(toDeliveryDocument));
  }
  async function storeEndpoint(name: string) {
    const endpoint = anEndpoint(name);
    await world.database.collections.endpoints.insertOne(toDocument(endpoint));
    return endpoint;
  }
  const row = ({ id }: Delivery) => world.database.collections.deliveries.findOne({ _id: id });
  const attempts = ({ id }: Delivery) => storedAttempts(world.database.collections, { deliveryId: id });
  const stored = (endpointId: string) =>
    world.database.collections.notifications.find({ endpointId }).toArray();
  const published = (endpointId: string) =>
    notifications.records.filter(({ value }) => value?.includes(endpointId));
  const send = (...deliveries: Delivery[]) =>
    createEnqueue(publisher.publish)(
      deliveries.map((delivery) => ({ topic: DEAD_LETTER_TOPIC, message: messageOf(delivery) })),
    );
  const untilDeadLettered = (delivery: Delivery) =>
    eventually(async () => expect(await row(delivery)).to.include({ status: 'dead_lettered' }));

  it('ends a delivery after its seventh attempt, keeps its last HTTP attempt and stores a record', async () => {
    const endpoint = await storeEndpoint('orders');
    const delivery = anExhaustedDelivery();
    await store(delivery);
    await send(delivery);
    await untilDeadLettered(delivery);
    const { lastAttempt, payload } = delivery;
    expect(await row(delivery)).to.deep.include({
      attempts: 7,
      failureReason: 'retries_exhausted',
      nextAttemptAt: null,
      lastAttempt,
      payload,
    });
    const [record, ...more] = await attempts(delivery);
    expect(more).to.deep.equal([]);
    expect(record).to.deep.include({
      ordinal: 8,
      status: 'dead_lettered',
      failureReason: 'retries_exhausted',
      httpStatus: null,
      durationMs: null,
      requestHeaders: null,
      responseBody: null,
      streak: null,
    });
    const after = await world.database.collections.endpoints.findOne({ _id: endpoint.id });
    expect(after && fromDocument(after)).to.deep.equal(endpoint);
  });

  it('notifies the workspace and publishes that the endpoint stopped receiving', async () => {
    const { id, workspaceId } = await storeEndpoint('notified');
    const delivery = anExhaustedDelivery({ of: 'notified' });
    await store(delivery);
    await send(delivery);
    const [message] = await eventually(() => {
      expect(published(id)).to.have.length(1);
      return published(id);
    });
    const [notification] = await stored(id);
    expect(notification).to.deep.include({
      kind: 'endpoint_stopped_receiving',
      workspaceId,
      data: { deliveryId: delivery.id, failingSince: OUTAGE.toISOString() },
    });
    expect(notification?.message).to.match(/stopped receiving/);
    expect(`${message?.key}`).to.equal(workspaceId);
    expect(message?.headers).to.include({
      ce_specversion: '1.0',
      ce_id: notification?._id,
      ce_type: 'notification.endpoint_stopped_receiving',
      ce_time: notification?.createdAt.toISOString(),
    });
    expect(message?.headers.traceparent).to.include(delivery.traceId);
    const codec = createSchemaCodec(world.env.SCHEMA_REGISTRY_URL ?? '', world.env.TOPIC_PREFIX ?? '');
    const value = await codec.decode(message!.value);
    expect(value).to.deep.include({ id: notification?._id, endpointId: id, data: notification?.data });
    await eventually(async () =>
      expect(await world.database.collections.outbox.countDocuments()).to.equal(0),
    );
  });

  it('notifies of an outage once, despite many deliveries and duplicate messages', async () => {
    const { id } = await storeEndpoint('once');
    const deliveries = ['a', 'b', 'c'].map((name) => anExhaustedDelivery({ of: 'once', name }));
    await store(...deliveries);
    await send(...deliveries, ...deliveries);
    await send(deliveries[0]!);
    const last = anExhaustedDelivery({ of: 'once', name: 'last' });
    await store(last);
    await send(last);
    await untilDeadLettered(last);
    for (const delivery of deliveries) {
      expect(await row(delivery)).to.include({ status: 'dead_lettered', attempts: 7 });
      expect(await attempts(delivery)).to.have.length(1);
    }
    expect(await stored(id)).to.have.length(1);
    await eventually(() => expect(published(id)).to.have.length(1));
  });

  it('ignores a row that has attempts left and a missing one', async () => {
    await storeEndpoint('early');
    const early = anExhaustedDelivery({ of: 'early', attempts: 6 });
    const gone = anExhaustedDelivery({ of: 'early', name: 'gone' });
    const last = anExhaustedDelivery({ of: 'early', name: 'last' });
    await store(early, last);
    await send(early, gone, last);
    await untilDeadLettered(last);
    expect(await row(early)).to.deep.equal(toDeliveryDocument(early));
    expect(await attempts(early)).to.deep.equal([]);
    expect(await attempts(gone)).to.deep.equal([]);
  });

  it('quarantines unreadable messages and continues after them', async () => {
    const { id } = await storeEndpoint('poisoned');
    const delivery = anExhaustedDelivery({ of: 'poisoned' });
    await store(delivery);
    const poison = {
      topic: DEAD_LETTER_TOPIC,
      key: id,
      value: '{"version":9}',
      headers: { from: 'elsewhere' },
    };
    await publisher.publish([poison]);
    await send(delivery);
    await untilDeadLettered(delivery);
    const aside = await eventually(() => {
      const found = quarantine.records.find(({ key }) => `${key}` === id);
      expect(`${found?.value}`).to.equal('{"version":9}');
      return found!;
    });
    expect(aside.headers).to.include({
      from: 'elsewhere',
      reason: 'version 9 is unknown',
      'origin-topic': DEAD_LETTER_TOPIC,
    });
  });

  it('reports that it is alive and ready', async () => {
    const ask = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect([await ask(healthPort, '/healthz'), await ask(healthPort, '/readyz')]).to.deep.equal([200, 200]);
    expect(await ask(livenessPort, '/healthz')).to.equal(200);
  });

  it('handles messages that arrived during a restart', async () => {
    await consumer.stop();
    await storeEndpoint('between');
    const delivery = anExhaustedDelivery({ of: 'between' });
    await store(delivery);
    await send(delivery);
    consumer = await start();
    await untilDeadLettered(delivery);
  });
});
