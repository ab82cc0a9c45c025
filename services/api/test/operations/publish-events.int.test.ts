import { FIRST_LEVEL, NEWEST_LEVEL } from '@postrider/shared/domain/feature-level';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import type { EventTypeInfo, PublishedEvent, PublishedEvents } from '../../src/contract/event.js';
import type { Page } from '../../src/contract/page.js';
import type { Problem } from '../../src/contract/problem.js';
import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { assistant } from '../mcp/mcp-client.js';

const PAID = { type: 'invoice.paid', data: { invoiceId: 'in_1', amount: 4200 } };
const LISTS = { type: 'array', items: { type: 'string' } };
const TAGGED = { type: 'object', properties: { tags: { type: 'object', additionalProperties: LISTS } } };
const OPEN = { type: 'object', properties: { any: { type: 'object', additionalProperties: true } } };
const DAY_MS = 24 * 60 * 60_000;

describe('custom events', () => {
  let world: ApiWorld;
  let publisher: ApiClient;
  let types: readonly ReturnType<typeof anEventType>[];
  before(async () => {
    world = await apiWorld();
    types = [
      anEventType(),
      anEventType({ name: 'order.sent', deprecated: true }),
      anEventType({ name: 'order.noted', schema: OPEN, examples: [{}] }),
      anEventType({ name: 'order.tagged', schema: TAGGED, examples: [{}] }),
    ];
    world.catalogue.set(types);
    publisher = await world.as(['event:publish', 'event_type:list', 'webhook:create', 'webhook:list']);
  });
  after(() => world?.destroy());

  const publish = <T = PublishedEvent>(body: object, path = '/events') =>
    publisher.request<T>(path, { body });
  const refusal = async (body: object, path = '/events') => {
    const before = await world.database.collections.outbox.countDocuments();
    const answer = await publish<Problem>(body, path);
    expect(await world.database.collections.outbox.countDocuments(), 'stored events').to.equal(before);
    return { tag: answer.body.tag, paths: (answer.body.errors ?? []).map(({ path: place }) => place) };
  };
  const recordOf = (id: string) => world.database.collections.outbox.findOne({ _id: id });

  it('are refused with short places of mistakes, however long the names in the event are', async () => {
    const name = 'x'.repeat(10_000);
    const { body } = await publish<Problem>({
      type: 'order.tagged',
      data: { tags: { [name]: Array(60).fill(1) } },
    });
    expect(body.errors).to.have.length(50);
    expect(body.errors?.at(-1)?.path).to.equal(`data.tags.${name}`.slice(0, 100).concat('…'));
    expect(JSON.stringify(body).length).to.be.below(20_000);
  });

  it('are stored with the fields that every event has, for the topic of events', async () => {
    const { status, body } = await publish(PAID);
    expect(status).to.equal(202);
    expect(body.eventId).to.match(/^evt_[0-9a-z]{26}$/);
    const record = await recordOf(body.eventId);
    expect(record).to.deep.include({
      topic: 'workspace.events',
      key: world.workspace.id,
      subject: 'workspace.events-invoice.paid',
      value: {
        eventId: body.eventId,
        occurredAt: body.occurredAt,
        workspaceId: world.workspace.id,
        ...PAID.data,
      },
    });
    expect(record?.headers).to.include({ ce_type: 'invoice.paid', ce_source: '/workspaces/acme' });
    expect(world.offered.map(({ id }) => id)).to.include(body.eventId);
  });

  it('keep only fields that the schema names', async () => {
    const data = { ...PAID.data, secret: 'x', customer: { id: 'cus_1', card: 'y' } };
    const { body } = await publish({ ...PAID, data });
    expect((await recordOf(body.eventId))?.value)
      .to.include({ amount: 4200 })
      .and.to.not.have.property('secret');
    expect((await recordOf(body.eventId))?.value.customer).to.deep.equal({ id: 'cus_1' });
  });

  it('are answered with the places of the fields that were dropped, singly and together', async () => {
    const data = { ...PAID.data, secret: 'x', customer: { id: 'cus_1', card: 'y' } };
    const { body } = await publish({ ...PAID, data });
    expect(body.droppedFields).to.have.members(['data.secret', 'data.customer.card']);
    expect((await publish(PAID)).body).to.have.all.keys('eventId', 'type', 'occurredAt');
    const together = await publish<PublishedEvents>({ events: [PAID, { ...PAID, data }] }, '/events/batch');
    expect(together.body.events.map(({ droppedFields }) => droppedFields?.length)).to.deep.equal([
      undefined,
      2,
    ]);
  });

  it("carry the publisher's time; their identifiers have the time of publishing", async () => {
    const occurredAt = new Date(Date.now() - DAY_MS).toISOString();
    const before = (await publish(PAID)).body;
    const { body } = await publish({ ...PAID, occurredAt });
    expect(body.occurredAt).to.equal(occurredAt);
    expect(body.eventId > before.eventId).to.equal(true);
  });

  it('are published together, in order', async () => {
    const events = [PAID, { ...PAID, type: 'order.sent' }];
    const { status, body } = await publish<PublishedEvents>({ events }, '/events/batch');
    expect(status).to.equal(202);
    expect(body.events.map(({ type }) => type)).to.deep.equal(['invoice.paid', 'order.sent']);
    for (const { eventId } of body.events) expect(await recordOf(eventId)).to.not.equal(null);
  });

  it('write no audit entry', async () => {
    expect(await world.database.collections.auditEvents.countDocuments({ action: /event|invoice/ })).to.equal(
      0,
    );
  });

  it('are stored once for one idempotency key', async () => {
    const headers = { 'idempotency-key': 'one' };
    const [first, second] = [
      await publisher.request<PublishedEvent>('/events', { body: PAID, headers }),
      await publisher.request<PublishedEvent>('/events', { body: PAID, headers }),
    ];
    expect(second.body).to.deep.equal(first.body);
  });

  // Regression: it was refused, although the event was delivered.
  it('are answered as before for the same idempotency key when they could not be published any more', async () => {
    const repeat = { headers: { 'idempotency-key': 'withdrawn' } };
    const one = { body: { type: 'order.sent', data: PAID.data }, ...repeat };
    const together = { body: { events: [one.body] }, headers: { 'idempotency-key': 'withdrawn-together' } };
    const first = await publisher.request('/events', one);
    const firstTogether = await publisher.request('/events/batch', together);
    expect([first.status, firstTogether.status]).to.deep.equal([202, 202]);
    world.catalogue.set(types.filter(({ name }) => name !== 'order.sent'));
    try {
      expect(await publisher.request('/events', one)).to.deep.include({ status: 202, body: first.body });
      const again = await publisher.request('/events/batch', together);
      expect(again).to.deep.include({ status: 202, body: firstTogether.body });
      for (let n = 0; n < 2; n += 1) {
        const headers = { 'idempotency-key': 'withdrawn-before' };
        const refused = await publisher.request<Problem>('/events', { body: one.body, headers });
        expect(refused.body.tag).to.equal('UnknownEventType');
      }
    } finally {
      world.catalogue.set(types);
    }
  });

  for (const [what, body, tag, paths] of [
    ['an unknown type', { ...PAID, type: 'invoice.lost' }, 'UnknownEventType', ['type']],
    [
      'an unknown type with a reserved prefix',
      { ...PAID, type: 'billing.foo' },
      'UnknownEventType',
      ['type'],
    ],
    ['a built-in type', { ...PAID, type: 'billing.plan_changed' }, 'ReservedEventType', ['type']],
    ['a test event', { ...PAID, type: 'webhook.test_event' }, 'ReservedEventType', ['type']],
    ['wrong fields', { ...PAID, data: { amount: -1 } }, 'InvalidRequest', ['data.amount', 'data.invoiceId']],
    [
      'a field that every event has',
      { ...PAID, data: { ...PAID.data, eventId: 'x' } },
      'InvalidRequest',
      ['data.eventId'],
    ],
    [
      'a time in the future',
      { ...PAID, occurredAt: new Date(Date.now() + DAY_MS).toISOString() },
      'InvalidRequest',
      ['occurredAt'],
    ],
    [
      'an old time',
      { ...PAID, occurredAt: new Date(Date.now() - 8 * DAY_MS).toISOString() },
      'InvalidRequest',
      ['occurredAt'],
    ],
    ['no data', { type: 'invoice.paid' }, 'InvalidRequest', ['data']],
    ['data that is a list', { ...PAID, data: [] }, 'InvalidRequest', ['data']],
    ['an unknown field', { ...PAID, id: 'x' }, 'InvalidRequest', ['id']],
  ] as const) {
    it(`are refused with ${what}`, async () => {
      const refused = await refusal(body);
      expect(refused.tag).to.equal(tag);
      expect([...refused.paths].sort()).to.deep.equal(paths);
    });
  }

  it('are refused with what cannot be stored, wherever the schema allows anything', async () => {
    const data =
      '{ "any": { "a\\u0000b": 1, "list": [{ "_bsontype": "ObjectId" }], "sum": 1e400, "$set": 1 } }';
    const headers = { 'content-type': 'application/json' };
    const body = `{ "type": "order.noted", "data": ${data} }`;
    const answer = await publisher.request<Problem>('/events', { body, headers });
    expect([answer.status, answer.body.tag]).to.deep.equal([400, 'InvalidRequest']);
    const refused = answer.body.errors?.map(({ path }) => path);
    expect(refused).to.have.members(['data.any', 'data.any.list[0]._bsontype', 'data.any.sum']);
  });

  it('are refused together, with the path of each mistake', async () => {
    const events = [PAID, { ...PAID, data: { invoiceId: 1, amount: 'x' } }, { ...PAID, data: {} }];
    const { tag, paths } = await refusal({ events }, '/events/batch');
    expect(tag).to.equal('InvalidRequest');
    expect(paths).to.have.members([
      'events[1].data.invoiceId',
      'events[1].data.amount',
      'events[2].data.invoiceId',
      'events[2].data.amount',
    ]);
    expect((await refusal({ events: [] }, '/events/batch')).tag).to.equal('InvalidRequest');
    expect((await refusal({ events: Array(101).fill(PAID) }, '/events/batch')).tag).to.equal(
      'InvalidRequest',
    );
  });

  it('may be as large as 256 KiB, and no larger', async () => {
    const sized = (size: number) => ({ ...PAID, data: { ...PAID.data, invoiceId: 'x'.repeat(size) } });
    expect((await publish(sized(250 * 1024))).status).to.equal(202);
    expect((await publish<Problem>(sized(257 * 1024))).body.tag).to.equal('PayloadTooLarge');
    const wide = {
      url: 'https://hooks.example.com',
      eventTypes: ['invoice.paid'],
      description: 'x'.repeat(70_000),
    };
    expect((await publisher.request<Problem>('/webhooks', { body: wide })).body.tag).to.equal(
      'PayloadTooLarge',
    );
  });

  // Regression: they were accepted, and the broker refused them.
  it('are refused if the digits of their numbers make them larger than a broker accepts', async () => {
    const list = (count: number) =>
      `{"type":"order.noted","data":{"any":{"n":[${Array(count).fill('1e20')}]}}}`;
    const headers = { 'content-type': 'application/json' };
    const send = (body: string) => publisher.request<Problem>('/events', { body, headers });
    expect((await send(list(20_000))).status).to.equal(202);
    const refused = await send(list(50_000));
    expect([refused.status, refused.body.errors?.map(({ path }) => path)]).to.deep.equal([400, ['data']]);
    expect(refused.body.detail).to.include('at most 524288 bytes');
  });

  it('need the permission, and are counted in a bucket of their own', async () => {
    const reader = await world.as(['read']);
    expect((await reader.request<Problem>('/events', { body: PAID })).body.tag).to.equal('Forbidden');
    const { headers } = await publish(PAID);
    expect(headers.get('ratelimit-policy')).to.equal('"publish";q=6000;w=60');
  });

  it('are refused until every process understands them, and so are subscriptions to them', async () => {
    world.featureLevel.set(FIRST_LEVEL);
    const webhook = (eventTypes: readonly string[]) => ({ url: 'https://hooks.example.com', eventTypes });
    const tags = [
      await publish<Problem>(PAID),
      await publisher.request<Problem>('/webhooks', { body: webhook(['invoice.paid']) }),
      await publisher.request<Problem>('/webhooks', { body: webhook(['*']) }),
    ].map(({ body }) => body.tag);
    world.featureLevel.set(NEWEST_LEVEL);
    expect(tags).to.deep.equal(Array(3).fill('UpgradeInProgress'));
  });

  it('can be subscribed to by name, by prefix and all together', async () => {
    const eventTypes = ['invoice.*', 'order.sent', '*', 'order.sent', 'billing.plan_changed'];
    const body = { url: 'https://hooks.example.com', eventTypes };
    const created = await publisher.request<Webhook>('/webhooks', { body });
    expect(created.body.eventTypes).to.deep.equal(['invoice.*', 'order.sent', '*', 'billing.plan_changed']);
    const unknown = { ...body, eventTypes: ['invoice.paid', 'invoice.lost', 'webhook.test_event'] };
    const refused = await publisher.request<Problem>('/webhooks', { body: unknown });
    expect(refused.body.errors?.map(({ path }) => path)).to.deep.equal(['eventTypes[1]', 'eventTypes[2]']);
  });

  it('are published by the tool as by REST', async () => {
    const tools = await assistant(`http://127.0.0.1:${world.api.port}`, publisher.secret);
    const { result } = await tools.use<PublishedEvent>('publish_event', PAID);
    expect(await recordOf(result.eventId)).to.not.equal(null);
    await tools.close();
  });

  it('have types that are listed by name, with built-in ones', async () => {
    const list = async (query = '') =>
      (await publisher.request<Page<EventTypeInfo>>(`/event-types${query}`)).body;
    const all = await list();
    expect(all.items.map(({ name }) => name)).to.include.members(['invoice.paid', 'billing.plan_changed']);
    expect(all.items.map(({ name }) => name)).to.deep.equal(all.items.map(({ name }) => name).sort());
    const first = await list('?limit=3');
    const second = await list(`?cursor=${first.nextCursor}`);
    expect([...first.items, ...second.items]).to.deep.equal(all.items);
    expect(all.items.find(({ name }) => name === 'order.sent')).to.include({
      deprecated: true,
      builtIn: false,
    });
    const one = await publisher.request<EventTypeInfo>('/event-types/billing.plan_changed');
    expect(one.body).to.deep.include({ builtIn: true, example: { previousPlan: 'free', plan: 'team' } });
    expect(one.body.schema).to.have.deep.property('required', ['previousPlan', 'plan']);
  });
});
