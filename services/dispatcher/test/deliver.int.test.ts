import { newEndpoint } from '@postrider/shared/domain/endpoint';
import type { EventType } from '@postrider/shared/domain/event-type';
import { idOf } from '@postrider/shared/domain/id';
import { formatSecret } from '@postrider/shared/domain/signing';
import { domainEvent } from '@postrider/shared/events/domain-event';
import { outboxPublisher } from '@postrider/shared/kafka/outbox-publisher';
import { connectPublisher, type Publisher } from '@postrider/shared/kafka/publisher';
import { schemaCodec } from '@postrider/shared/kafka/schema-registry';
import { toDocument } from '@postrider/shared/mongo/documents';
import { eventRecord } from '@postrider/shared/outbox/record';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import type { Service } from '@postrider/shared/runtime/lifecycle';
import { secretBox } from '@postrider/shared/runtime/secret-box';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TestReceiver, testReceiver } from '@postrider/shared/testing/receiver';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { readConfig } from '../src/config.js';
import { startDispatcher } from '../src/service.js';

describe('the dispatcher', () => {
  let world: TestWorld;
  let receiver: TestReceiver;
  let dispatcher: Service;
  let publisher: Publisher;
  const secret = formatSecret(Buffer.alloc(32, 7));
  const newId = (kind: Parameters<typeof idOf>[0]) => idOf(kind, new Date(), randomTail());
  const workspace = { id: newId('workspace'), slug: 'acme' };

  before(async () => {
    [world, receiver] = await Promise.all([testWorld(), testReceiver()]);
    publisher = await connectPublisher(world.kafka, world.names);
    const config = readConfig(world.env);
    dispatcher = await startDispatcher(config, world.log, (reason) => {
      throw new Error(reason);
    });
  });
  after(async () => {
    await dispatcher?.stop();
    await publisher?.close();
    await receiver?.close();
    await world?.destroy();
  });

  async function endpoint(path: string, eventTypes: EventType[] = ['billing.plan_changed']) {
    const id = newId('endpoint');
    const sealed = secretBox(readConfig(world.env).ENCRYPTION_KEYS).seal(secret, id);
    const url = `${receiver.url}/${path}`;
    const createdAt = new Date();
    const facts = {
      id,
      workspaceId: workspace.id,
      url,
      description: null,
      eventTypes,
      enabled: true,
      secret: sealed,
      createdAt,
    };
    await world.database.collections.endpoints.insertOne(toDocument(newEndpoint(facts)));
    return id;
  }

  async function changePlan() {
    const own = { previousPlan: 'free', plan: 'team' } as const;
    const event = domainEvent({
      type: 'billing.plan_changed',
      id: newId('event'),
      workspace,
      occurredAt: new Date(),
      own,
    });
    const codec = schemaCodec(world.env.SCHEMA_REGISTRY_URL!, world.env.TOPIC_PREFIX!);
    await outboxPublisher(publisher.publish, codec)([eventRecord(event, newTraceId())]);
    return event;
  }

  const at = (path: string) => receiver.received.filter((post) => post.path === `/${path}`);
  const row = (endpointId: string) => world.database.collections.deliveries.findOne({ endpointId });
  const attempts = (endpointId: string) =>
    world.database.collections.attempts.find({ endpointId }).sort({ ordinal: 1 }).toArray();
  const disable = (_id: string) =>
    world.database.collections.endpoints.updateOne({ _id }, { $set: { enabled: false } });

  it('turns an event into a signed POST and a delivered row', async () => {
    const endpointId = await endpoint('first');
    const event = await changePlan();
    const post = await eventually(() => {
      expect(at('first')).to.have.length(1);
      return at('first')[0]!;
    });
    const body = new Webhook(secret).verify(post.body, post.headers as Record<string, string>) as Record<
      string,
      unknown
    >;
    expect(Object.keys(body)).to.deep.equal(['deliveryId', 'eventType', 'payload']);
    expect(body.payload).to.deep.equal(event.payload);
    await eventually(async () =>
      expect(await row(endpointId)).to.include({ status: 'delivered', attempts: 1 }),
    );
    const [attempt] = await attempts(endpointId);
    expect(attempt).to.include({ ordinal: 1, status: 'delivered', httpStatus: 200 });
    await disable(endpointId);
  });

  it('retries with growing delays, never early, and hands over after the sixth retry', async () => {
    receiver.answer(({ path }) => ({ status: path === '/broken' ? 500 : 200 }));
    const endpointId = await endpoint('broken');
    await changePlan();
    await eventually(() => expect(at('broken')).to.have.length(7), 20_000);
    const times = at('broken').map((post) => post.at);
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    for (const [index, gap] of gaps.entries()) expect(gap, `gap ${index + 1}`).to.be.at.least((index + 1) * 100);
    const stored = await eventually(async () => {
      const found = await row(endpointId);
      expect(found).to.include({ status: 'failed', attempts: 7, nextAttemptAt: null });
      return found;
    });
    expect(stored?.failingSince).to.be.instanceOf(Date);
    expect(await attempts(endpointId)).to.have.length(7);
    await disable(endpointId);
  });

  it('sends a permanent failure once', async () => {
    receiver.answer(({ path }) => ({ status: path === '/gone' ? 404 : 200 }));
    const endpointId = await endpoint('gone');
    await changePlan();
    await eventually(async () =>
      expect(await row(endpointId)).to.include({ status: 'failed_permanent', attempts: 1 }),
    );
    expect(at('gone')).to.have.length(1);
    await disable(endpointId);
  });
});
