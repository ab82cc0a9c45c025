import { customEventType } from '@postrider/shared/catalogue/catalogue';
import type { StoredEventType } from '@postrider/shared/catalogue/event-type-definition';
import { idOf } from '@postrider/shared/domain/id';
import { customEvent } from '@postrider/shared/events/domain-event';
import { createCustomCodec, registerTypes } from '@postrider/shared/kafka/custom-codec';
import { createRegistryClient } from '@postrider/shared/kafka/registry-client';
import { createCatalogueStore } from '@postrider/shared/mongo/catalogue-store';
import { eventRecord } from '@postrider/shared/outbox/record';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { eventually } from '@postrider/shared/testing/eventually';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

describe('dispatcher with custom events', () => {
  let here: DispatcherWorld;
  before(async () => {
    here = await dispatcherWorld();
  });
  after(() => here?.stop());

  const registryParts = () =>
    [createRegistryClient(here.world.env.SCHEMA_REGISTRY_URL!, {}), here.world.env.TOPIC_PREFIX!] as const;
  const codec = () => createCustomCodec(...registryParts(), { checkAgain: async () => {} });
  const store = async (name: string, overrides: Partial<StoredEventType> = {}) => {
    const catalogue = createCatalogueStore(here.world.database);
    const from = await catalogue.version();
    const types = [anEventType({ name, ...overrides })];
    await catalogue.save({ types, from, file: `${name} ${from}`, at: new Date() });
  };
  /** Publishes as another service does: straight to Kafka. */
  const publish = async (name: string, workspaceId: string, fields: object) => {
    const type = customEventType(anEventType({ name }));
    await registerTypes(...registryParts(), [type]);
    const id = idOf('event', new Date(), randomTail());
    const workspace = { id: workspaceId, slug: 'acme' };
    const event = customEvent({ type: name, id, workspace, occurredAt: new Date(0), fields: { ...fields } });
    const { topic, key, headers, value } = eventRecord(event, newTraceId());
    await here.publisher.publish([{ topic, key, headers, value: await codec().encode(type, value) }]);
    return id;
  };
  const subscribe = async (path: string, eventType: string) => {
    const id = await here.endpoint(path);
    const since = new Date(Date.now() - 60_000);
    const subscriptions = [{ eventType, since }];
    await here.world.database.collections.endpoints.updateOne(
      { _id: id },
      { $set: { subscriptions, enabledSince: since } },
    );
    return id;
  };
  const workspaceOf = async (id: string) =>
    (await here.world.database.collections.endpoints.findOne({ _id: id }))!.workspaceId;
  const eventsAt = (path: string) =>
    here.posts(path).map(({ body }) => JSON.parse(body.toString()) as { eventType: string; payload: object });

  it('delivers them to subscriptions by name, prefix and to all, with only the fields of their schema', async () => {
    await store('invoice.paid');
    const id = await subscribe('name', 'invoice.paid');
    await subscribe('prefix', 'invoice.*');
    await subscribe('all', '*');
    await subscribe('other', 'order.*');
    const workspaceId = await workspaceOf(id);
    const eventId = await publish('invoice.paid', workspaceId, { invoiceId: 'in_1', amount: 7, secret: 'x' });
    const expected = {
      eventId,
      occurredAt: '1970-01-01T00:00:00.000Z',
      workspaceId,
      invoiceId: 'in_1',
      amount: 7,
    };
    await eventually(() => {
      for (const path of ['name', 'prefix', 'all'])
        expect(eventsAt(path).map(({ payload }) => payload)).to.deep.equal([expected]);
    });
    expect(eventsAt('other')).to.deep.equal([]);
    const row = await here.row(id);
    expect(row?.createdAt.getTime()).to.be.closeTo(Date.now(), 60_000);
  });

  it('delivers an event by the newest definition of its type, with all of its fields', async () => {
    const id = await subscribe('wider', 'invoice.paid');
    const workspaceId = await workspaceOf(id);
    const properties = { invoiceId: {}, amount: { minimum: -100 }, note: {} };
    await store('invoice.paid', { version: 2, schema: { type: 'object', properties } });
    await publish('invoice.paid', workspaceId, { amount: -1 });
    await publish('invoice.paid', workspaceId, { amount: 1, note: 'new' });
    await eventually(() => {
      const payloads = eventsAt('wider').map(({ payload }) => payload as { amount: number; note?: string });
      expect(payloads.map(({ amount, note }) => [amount, note])).to.have.deep.members([
        [-1, undefined],
        [1, 'new'],
      ]);
    });
  });

  it('lets events of a type that it does not know yet wait, while the partition continues', async () => {
    const id = await subscribe('waiting', 'late.*');
    const workspaceId = await workspaceOf(id);
    await publish('late.known', workspaceId, { invoiceId: 'in_2', amount: 1 });
    await publish('invoice.paid', workspaceId, { invoiceId: 'in_3', amount: 1 });
    await eventually(() => expect(JSON.stringify(eventsAt('name'))).to.include('in_3'));
    expect(eventsAt('waiting')).to.deep.equal([]);
    await store('late.known');
    await eventually(() =>
      expect(eventsAt('waiting').map(({ eventType }) => eventType)).to.deep.equal(['late.known']),
    );
  });
});
