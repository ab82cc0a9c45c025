import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { asId, deliveryIdOf } from '@postrider/shared/domain/id';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { createFanOutStore } from '@postrider/shared/mongo/fan-out-store';
import { createClockHoldRecord } from '@postrider/shared/mongo/outage-guard-records';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { EventExplanation } from '../../src/contract/event-explanation.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { deliveryRow, storedDelivery } from '../delivery-row.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

const TYPE = 'billing.plan_changed';

describe('explain_event', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());
  beforeEach(() => world.database.collections.endpoints.deleteMany({}));

  const explain = async (eventId: string, query = '') =>
    (await admin.request<EventExplanation>(`/events/${eventId}${query}`)).body;
  const outcomeAt = async (eventId: string, endpointId: string) =>
    (await explain(eventId)).items.find((item) => item.endpointId === endpointId);
  const change = (id: string, facts: Partial<Endpoint>) =>
    world.database.collections.endpoints.updateOne({ _id: id }, { $set: facts as object });

  /** An event of which fan-out stored that it matched nothing. */
  async function unmatchedEvent(occurredAt = new Date()): Promise<string> {
    const _id = newId('event', occurredAt);
    const { unmatchedEvents } = world.database.collections;
    await unmatchedEvents.insertOne({ _id, workspaceId: world.workspace.id, type: TYPE, occurredAt });
    return _id;
  }
  /** The delivery that fan-out makes of an event. */
  async function fannedOut(eventId: string, occurredAt: Date, endpointId: string, facts: object = {}) {
    const row = {
      ...deliveryRow({
        workspaceId: world.workspace.id,
        endpointId,
        status: 'delivered',
        createdAt: occurredAt,
        payload: { eventId, occurredAt: occurredAt.toISOString() },
      }),
      id: deliveryIdOf({ eventId, occurredAt }, asId('endpoint', endpointId)),
      ...facts,
    };
    await world.database.collections.deliveries.insertOne(toDeliveryDocument(row));
    return row.id;
  }

  it('shows the status of each delivery, and why the others have none, by endpoint id, in pages', async () => {
    const [delivered, failed, held, other] = [
      await endpoints.create(),
      await endpoints.create(),
      await endpoints.create(),
      await endpoints.create({ eventTypes: ['api_token.created'] }),
    ].map(({ id }) => id) as [string, string, string, string];
    const occurredAt = world.clock.now();
    const eventId = newId('event', occurredAt);
    const ids = [
      await fannedOut(eventId, occurredAt, delivered),
      await fannedOut(eventId, occurredAt, failed, {
        status: 'dead_lettered',
        failureReason: 'retries_exhausted',
      }),
      await fannedOut(eventId, occurredAt, held, {
        status: 'failed_permanent',
        failureReason: 'endpoint_disabled',
      }),
    ];
    await storedDelivery(world, { endpointId: failed, status: 'pending', payload: { eventId } });
    const all = await explain(eventId);
    expect(all).to.include({
      eventId,
      eventType: TYPE,
      occurredAt: occurredAt.toISOString(),
      nextCursor: null,
    });
    expect(
      all.items.map(({ endpointId, outcome, failureReason, deliveryId }) => [
        endpointId,
        outcome,
        failureReason,
        deliveryId,
      ]),
    ).to.deep.equal([
      [delivered, 'delivered', null, ids[0]],
      [failed, 'dead_lettered', 'retries_exhausted', ids[1]],
      [held, 'failed_permanent', 'endpoint_disabled', ids[2]],
      [other, 'not_subscribed', null, null],
    ]);
    expect(all.items[2]?.detail).to.include('disabled');
    const first = await explain(eventId, '?limit=3');
    const last = await explain(eventId, `?limit=3&cursor=${first.nextCursor}`);
    expect([...first.items, ...last.items]).to.deep.equal(all.items);
  });

  it('names the newest replay of a delivery and its status, also once the delivery has expired', async () => {
    const occurredAt = new Date();
    const eventId = newId('event', occurredAt);
    const { deliveries } = world.database.collections;
    const replayed = async (facts: object) => {
      const { id } = await endpoints.create();
      const sourceId = await fannedOut(eventId, occurredAt, id, facts);
      const at = new Date();
      const payload = { eventId, occurredAt: occurredAt.toISOString() };
      const replay = { endpointId: id, replayedFrom: sourceId, payload } as const;
      await storedDelivery(world, { ...replay, status: 'failed_permanent', createdAt: at });
      const newest = { ...replay, status: 'delivered', createdAt: new Date(at.getTime() + 1_000) } as const;
      return { id, sourceId, replayId: (await storedDelivery(world, newest)).id };
    };
    const disabled = { status: 'failed_permanent', failureReason: 'endpoint_disabled' };
    const held = await replayed(disabled);
    const dead = await replayed({
      status: 'dead_lettered',
      failureReason: 'retries_exhausted',
      attempts: 7,
      lastAttempt: {
        ordinal: 7,
        httpStatus: 503,
        failureReason: 'http_status',
        responseBody: '',
        attemptedAt: occurredAt,
        durationMs: 12,
      },
    });
    const expired = await replayed(disabled);
    await deliveries.deleteOne({ _id: expired.sourceId });
    await change(expired.id, { filter: JSON.stringify({ plan: ['none'] }) });
    const sentence = (replayId: string) => `Its newest replay, ${replayId}, is delivered.`;
    const { items } = await explain(eventId);
    expect(items.map(({ outcome, deliveryId, detail }) => ({ outcome, deliveryId, detail }))).to.deep.equal([
      {
        outcome: 'failed_permanent',
        deliveryId: held.sourceId,
        detail: `It was not sent because the endpoint was disabled. ${sentence(held.replayId)}`,
      },
      {
        outcome: 'dead_lettered',
        deliveryId: dead.sourceId,
        detail: `The last of 7 attempts failed: the receiver answered 503. The retries are exhausted. ${sentence(dead.replayId)}`,
      },
      {
        outcome: 'unknown',
        deliveryId: null,
        detail: `Its delivery has expired. ${sentence(expired.replayId)}`,
      },
    ]);
  });

  it('names the replay of a replay that failed, which the receiver got', async () => {
    const occurredAt = new Date();
    const eventId = newId('event', occurredAt);
    const { id: endpointId } = await endpoints.create();
    const sourceId = await fannedOut(eventId, occurredAt, endpointId, { status: 'failed_permanent' });
    const replayOf = (replayedFrom: string, status: 'failed_permanent' | 'delivered') =>
      storedDelivery(world, {
        ...{ endpointId, replayedFrom, status },
        payload: { eventId, occurredAt: occurredAt.toISOString() },
      });
    const failed = await replayOf(sourceId, 'failed_permanent');
    const delivered = await replayOf(failed.id, 'delivered');
    const found = await outcomeAt(eventId, endpointId);
    expect(found).to.include({ outcome: 'failed_permanent', deliveryId: sourceId });
    expect(found?.detail).to.include(`Its newest replay, ${delivered.id}, is delivered.`);
  });

  it('shows why an endpoint has no delivery, from its current settings', async () => {
    const occurredAt = new Date(Date.now() - 60_000);
    const eventId = await unmatchedEvent(occurredAt);
    const early = new Date(occurredAt.getTime() - 60_000);
    const since = { createdAt: early, enabledSince: early };
    const subscriptions = [{ eventType: TYPE, since: early }];
    const made = async (facts: Partial<Endpoint>) => {
      const { id } = await endpoints.create();
      await change(id, { ...since, subscriptions, ...facts });
      return id;
    };
    const later = [{ eventType: TYPE, since: new Date() }];
    const full = { since: early, rows: 10, missed: 1 };
    const disabled = { enabled: false, disabledReason: 'operator', disabledAt: early } as const;
    const [first, second, now] = [10_000, 20_000, 30_000].map((ms) => new Date(occurredAt.getTime() + ms));
    /** Its delivery is being created, although it was disabled and enabled twice since. */
    const switchedTwice = {
      enabledSince: now!,
      lastPeriod: { since: second!, enabledSince: second! },
      earlierPeriods: [{ since: first!, enabledSince: early, enabledAt: second! }],
    };
    const cases = [
      [await made({ createdAt: new Date() }), 'created_later'],
      [await made({ subscriptions: later }), 'not_subscribed'],
      [await made({ deletedAt: new Date() } as Partial<Endpoint>), 'deleted'],
      [await made({ ...disabled, holding: full }), 'missed'],
      [await made({ enabledSince: new Date() }), 'missed'],
      [await made(switchedTwice), 'unknown'],
      [await made({ filter: JSON.stringify({ plan: ['team'] }) }), 'filtered'],
      [await made({}), 'unknown'],
    ] as const;
    const explained = await explain(eventId);
    expect(explained).to.include({ eventType: TYPE, occurredAt: occurredAt.toISOString() });
    for (const [id, outcome] of cases) {
      const item = explained.items.find(({ endpointId }) => endpointId === id);
      expect(item, outcome).to.include({ outcome, deliveryId: null });
      expect(item?.detail, outcome).to.be.a('string');
    }
  });

  // Regression: it was `unknown`, or `filtered`, for changes of the first five seconds after an event.
  it('shows that an endpoint was created, or subscribed, a second after the event', async () => {
    const occurredAt = new Date(Date.now() - 60_000);
    const [early, soon, late] = [-60_000, 1_000, 6_000].map((ms) => new Date(occurredAt.getTime() + ms)) as [
      Date,
      Date,
      Date,
    ];
    const made = async (createdAt: Date, since: Date) => {
      const { id } = await endpoints.create();
      const filter = JSON.stringify({ plan: ['none'] });
      const subscriptions = [{ eventType: TYPE, since }];
      await change(id, { createdAt, enabledSince: createdAt, subscriptions, filter });
      return id;
    };
    const cases = [
      [await made(soon, soon), 'created_later', true],
      [await made(late, late), 'created_later', false],
      [await made(early, soon), 'not_subscribed', true],
      [await made(early, late), 'not_subscribed', false],
    ] as const;
    const eventId = await unmatchedEvent(occurredAt);
    const { items } = await explain(eventId);
    for (const [index, [id, outcome, isDoubtful]] of cases.entries()) {
      const item = items.find(({ endpointId }) => endpointId === id);
      expect(item, `${index}`).to.include({ outcome, deliveryId: null });
      expect(item?.detail?.includes('only if the event is handled after that'), `${index}`).to.equal(
        isDoubtful,
      );
    }
  });

  it('distinguishes what an endpoint missed from what its filter excludes', async () => {
    const occurredAt = new Date(Date.now() - 60_000);
    const early = new Date(occurredAt.getTime() - 60_000);
    const made = async (facts: Partial<Endpoint>) => {
      const { id } = await endpoints.create();
      const subscriptions = [{ eventType: TYPE, since: early }];
      await change(id, { createdAt: early, enabledSince: early, subscriptions, ...facts });
      return id;
    };
    const filtered = { filter: JSON.stringify({ plan: ['team'] }) };
    const [disabledAt, since] = [early, new Date()];
    const full = {
      enabled: false,
      disabledReason: 'operator',
      disabledAt,
      holding: { since: early, rows: 10, missed: 1 },
    };
    const [wasDisabled, isFull, other] = [
      await made({ ...filtered, enabledSince: since }),
      await made({ ...filtered, ...full } as Partial<Endpoint>),
      await made({}),
    ];
    const outcomesOf = async (eventId: string) => {
      const { items } = await explain(eventId);
      return [wasDisabled, isFull].map((id) => items.find(({ endpointId }) => endpointId === id)?.outcome);
    };
    const known = newId('event', occurredAt);
    await fannedOut(known, occurredAt, other);
    expect(await outcomesOf(known), 'its payload does not match').to.deep.equal(['filtered', 'filtered']);
    const unmatched = await unmatchedEvent(occurredAt);
    expect(await outcomesOf(unmatched), 'its payload is not stored').to.deep.equal(['missed', 'missed']);
    const [first] = (await explain(unmatched)).items;
    expect(first?.detail).to.include('Whether the event matches its current filter is not known');
  });

  // Regression: it was `unknown` once fan-out had counted deliveries of a later disabled period.
  it('shows that an endpoint missed the event in an earlier disabled period', async () => {
    const { id } = await endpoints.create();
    const stored = createFanOutStore(world.database.collections);
    const enable = (enabled: boolean) => {
      world.clock.advance(60_000);
      return admin.request(`/webhooks/${id}`, { method: 'PATCH', body: { enabled } });
    };
    const missedOne = async () => {
      await enable(false);
      const { disabledAt } = (await world.database.collections.endpoints.findOne({ _id: id }))!;
      const count = { endpointId: asId('endpoint', id), since: disabledAt!, rows: 1 };
      await stored.countHeld([{ ...count, missed: 1 }]);
      world.clock.advance(60_000);
      return unmatchedEvent(world.clock.now());
    };
    const events: string[] = [];
    const outcomes = () =>
      Promise.all(events.map(async (eventId) => (await outcomeAt(eventId, id))?.outcome));
    for (const expected of [['missed'], ['missed', 'missed'], ['missed', 'missed', 'missed']]) {
      events.push(await missedOne());
      expect(await outcomes(), 'while disabled').to.deep.equal(expected);
      await enable(true);
      expect(await outcomes(), 'enabled').to.deep.equal(expected);
    }
    world.clock.advance(61 * 60_000);
    events.push(await missedOne());
    await enable(true);
    expect(await outcomes(), 'when the earlier periods are forgotten').to.deep.equal(Array(4).fill('missed'));
    world.clock.advance(60_000);
    expect(await outcomeAt(await unmatchedEvent(world.clock.now()), id)).to.include({ outcome: 'unknown' });
  });

  it('shows the delivery of an endpoint that was deleted since', async () => {
    const occurredAt = new Date();
    const eventId = newId('event', occurredAt);
    const { id } = await endpoints.create();
    await fannedOut(eventId, occurredAt, id);
    await change(id, { deletedAt: new Date() } as Partial<Endpoint>);
    expect(await outcomeAt(eventId, id)).to.include({ outcome: 'delivered' });
  });

  it('is unknown at each endpoint where nothing of the event is stored', async () => {
    const { id } = await endpoints.create();
    const unknown = await explain(newId('event'));
    expect(unknown).to.include({ eventType: null, occurredAt: null });
    expect(unknown.items.map(({ endpointId, outcome }) => [endpointId, outcome])).to.deep.equal([
      [id, 'unknown'],
    ]);
  });

  it('shows nothing of the event of another workspace', async () => {
    const eventId = newId('event');
    const stranger = deliveryRow({
      workspaceId: newId('workspace'),
      endpointId: newId('endpoint'),
      status: 'delivered',
      payload: { eventId },
    });
    await world.database.collections.deliveries.insertOne(toDeliveryDocument(stranger));
    const { unmatchedEvents } = world.database.collections;
    const other = newId('event');
    await unmatchedEvents.insertOne({
      _id: other,
      workspaceId: stranger.workspaceId,
      type: TYPE,
      occurredAt: new Date(),
    });
    for (const id of [eventId, other])
      expect(await explain(id)).to.include({ eventType: null, occurredAt: null });
  });

  // Regression: the oldest delivery was that of the other workspace, so nothing was shown.
  it('explains an event of which another workspace has older deliveries', async () => {
    const occurredAt = new Date();
    const eventId = newId('event', occurredAt);
    const { id } = await endpoints.create();
    await fannedOut(eventId, occurredAt, newId('endpoint'), {
      id: newId('delivery', new Date(occurredAt.getTime() - 1_000)),
      workspaceId: newId('workspace'),
      eventType: 'api_token.created',
    });
    await fannedOut(eventId, occurredAt, id);
    expect(await explain(eventId)).to.include({ eventType: TYPE });
    expect(await outcomeAt(eventId, id)).to.include({ outcome: 'delivered' });
  });

  // Regression: only the first of the two records was stored.
  it('explains an event that matched nothing in another workspace either', async () => {
    const occurredAt = new Date();
    const eventId = newId('event', occurredAt);
    const { insertUnmatched } = createFanOutStore(world.database.collections);
    const workspaceId = newId('workspace');
    await insertUnmatched([{ eventId, workspaceId, type: 'api_token.created', occurredAt }]);
    await insertUnmatched([{ eventId, workspaceId: world.workspace.id, type: TYPE, occurredAt }]);
    expect(await explain(eventId)).to.include({ eventId, eventType: TYPE });
  });

  it('lists the one endpoint of a test event', async () => {
    await endpoints.create();
    const { id } = await endpoints.create();
    const sent = (
      await admin.request<{ deliveryId: string; eventId: string }>(`/webhooks/${id}/test-event`, {
        method: 'POST',
      })
    ).body;
    const { items, eventType } = await explain(sent.eventId);
    expect(eventType).to.equal('webhook.test_event');
    expect(
      items.map(({ endpointId, outcome, deliveryId }) => [endpointId, outcome, deliveryId]),
    ).to.deep.equal([[id, 'pending', sent.deliveryId]]);
  });

  for (const id of ['evt_0', 'whd_01krzmb7g0q5w9n2x4c8v1j6th', 'nonsense'])
    it(`refuses ${id}, which is no event id`, async () => {
      const { status, body } = await admin.requestRefused(`/events/${id}`);
      expect([status, body.tag]).to.deep.equal([404, 'EventNotFound']);
    });

  it('says of a pending delivery that a dispatcher holds sending', async () => {
    const occurredAt = new Date();
    const eventId = newId('event', occurredAt);
    const { id } = await endpoints.create();
    await fannedOut(eventId, occurredAt, id, { status: 'pending', attempts: 0, lastAttempt: null });
    expect((await outcomeAt(eventId, id))?.detail).to.equal('No attempt has ended yet.');
    const { outageGuards } = world.database.collections;
    const heldSince = new Date(occurredAt.getTime() - 60_000);
    const expiresAt = new Date(world.clock.now().getTime() + 60_000);
    await outageGuards.insertOne({ _id: 'holds', holding: true, heldSince, domains: [], expiresAt });
    await eventually(async () =>
      expect((await outcomeAt(eventId, id))?.detail).to.include(
        `Sending has been held since ${heldSince.toISOString()}`,
      ),
    );
    await outageGuards.deleteMany({});
  });

  it('says of a pending delivery that a dispatcher holds sending because of its clock', async () => {
    const occurredAt = new Date();
    const eventId = newId('event', occurredAt);
    const { id } = await endpoints.create();
    await fannedOut(eventId, occurredAt, id, { status: 'pending', attempts: 0, lastAttempt: null });
    const { collections } = world.database;
    const record = createClockHoldRecord(collections, { processId: 'dispatcher', clock: world.clock });
    await record.publish(true);
    await eventually(async () =>
      expect((await outcomeAt(eventId, id))?.detail).to.match(
        /Sending has been held since \S+ because the clocks .+ resumes by itself when the clocks agree again\.$/,
      ),
    );
    await record.publish(false);
    await eventually(async () =>
      expect((await outcomeAt(eventId, id))?.detail).to.equal('No attempt has ended yet.'),
    );
  });
});
