import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Delivery } from '@postrider/shared/domain/delivery';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { connectPublisher, type Publisher } from '@postrider/shared/kafka/publisher';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { DEAD_LETTER_TOPIC } from '@postrider/shared/ports/topics';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { readConfig } from '../src/config.js';
import { startDlqConsumer } from '../src/service.js';
import { anExhaustedDelivery, messageOf } from './builders.js';

/** A TCP proxy. Frozen, its connections stay open but forward nothing; cut, they break and no new ones are accepted. */
async function breakableWay(to: URL) {
  const sockets = new Set<Socket>();
  const swallowed: Buffer[] = [];
  let frozen = false;
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('data', (bytes) => (frozen ? swallowed.push(bytes) : other.write(bytes)));
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    freeze() {
      frozen = true;
    },
    /** Whether this was sent since the proxy froze. */
    hasSwallowed: (text: string) => Buffer.concat(swallowed).includes(text),
  };
}

describe('dead-letter consumer without a database', () => {
  let world: TestWorld;
  let publisher: Publisher;
  before(async () => {
    world = await testWorld();
    publisher = await connectPublisher(world.kafka, world.names);
  });
  after(async () => {
    await publisher?.close();
    await world?.destroy();
  });

  const configOf = (env: Readonly<Record<string, string>> = {}) => readConfig({ ...world.env, ...env });
  const send = (delivery: Delivery) =>
    createEnqueue(publisher.publish)([{ topic: DEAD_LETTER_TOPIC, message: messageOf(delivery) }]);
  const untilDeadLettered = ({ id }: Delivery) =>
    eventually(async () => {
      const row = await world.database.collections.deliveries.findOne({ _id: id });
      expect(row).to.include({ status: 'dead_lettered' });
    });

  it('stops in time and leaves the message to the next consumer', async () => {
    const uri = new URL(world.env.MONGODB_URI ?? '');
    const way = await breakableWay(uri);
    // Several connections, because one of them may wait for a response when the proxy freezes.
    const through = `mongodb://127.0.0.1:${way.port}${uri.pathname}?directConnection=true&minPoolSize=4`;
    const [before, meanwhile] = ['before', 'meanwhile'].map((name) => anExhaustedDelivery({ name })) as [
      Delivery,
      Delivery,
    ];
    await world.database.collections.deliveries.insertMany([before, meanwhile].map(toDeliveryDocument));

    const consumer = await startDlqConsumer(configOf({ MONGODB_URI: through }), world.log, { fail() {} });
    await send(before);
    await untilDeadLettered(before);
    // The notification is published only after the transaction was committed.
    await eventually(async () =>
      expect(await world.database.collections.outbox.countDocuments()).to.equal(0),
    );
    way.freeze();
    await send(meanwhile);
    await eventually(() => expect(way.hasSwallowed(meanwhile.id)).to.equal(true));
    way.cut();
    const started = performance.now();
    await consumer.stop();
    expect(performance.now() - started).to.be.below(15_000);

    const successor = await startDlqConsumer(configOf(), world.log, { fail() {} });
    await untilDeadLettered(meanwhile);
    await successor.stop();
  });
});
