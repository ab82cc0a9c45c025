import { expect } from 'chai';
import { heldDelivery } from '../../src/domain/delivery.js';
import { eventKey } from '../../src/domain/event-key.js';
import type { EventType } from '../../src/domain/event-type.js';
import type { EndpointId, WorkspaceId } from '../../src/domain/id.js';
import {
  aDelivery,
  aFailedDelivery,
  anEndpoint,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';
import { subscriberOf } from '../../src/testing/endpoint-parts.js';
import type { CreateStores, StoresUnderTest } from './stores-under-test.js';

export const rowsNamed = (...names: string[]) =>
  names.map((name) => aDelivery({ id: idFor('delivery', name) }));

/** The behaviour that every `FanOutStore` shares. */
export function fanOutStoreContract(createStores: CreateStores): void {
  let stores: StoresUnderTest;
  beforeEach(() => {
    stores = createStores();
  });
  const LIMIT = { endpoints: 10, cost: 100 };
  const OTHER_WORKSPACE = idFor('workspace', 'other');
  const named = (name: string, overrides: Parameters<typeof anEndpoint>[0] = {}) =>
    anEndpoint({ id: idFor('endpoint', name), ...overrides });
  const subscribers = async (
    workspaceIds: readonly WorkspaceId[],
    types: readonly EventType[] = ['billing.plan_changed'],
    limit = LIMIT,
  ) => (await stores.fanOut.subscribers({ workspaceIds, types, limit })).map(({ id }) => id);

  it('finds the endpoints that subscribe to any of the types, disabled ones included, each once', async () => {
    const both = named('both', { eventTypes: ['api_token.created', 'billing.plan_changed'] });
    const one = named('one', { eventTypes: ['billing.plan_changed'] });
    const none = named('none', { eventTypes: ['api_token.revoked'] });
    const disabled = named('disabled', { enabled: false, disabledAt: NOON });
    const deleted = named('deleted', { deletedAt: NOON });
    await stores.store({ endpoints: [both, one, none, disabled, deleted] });
    const types = ['api_token.created', 'billing.plan_changed'] as const;
    const found = await stores.fanOut.subscribers({ workspaceIds: [WORKSPACE_ID], types, limit: LIMIT });
    expect(found).to.have.deep.members([both, one, disabled].map(subscriberOf));
  });

  it('finds endpoints of the given workspaces only', async () => {
    const here = named('here');
    const there = named('there', { workspaceId: OTHER_WORKSPACE });
    await stores.store({ endpoints: [here, there] });
    expect(await subscribers([WORKSPACE_ID])).to.deep.equal([here.id]);
    expect(await subscribers([WORKSPACE_ID, OTHER_WORKSPACE])).to.have.members([here.id, there.id]);
    expect(await subscribers([])).to.deep.equal([]);
  });

  it('finds an endpoint as soon as it is stored', async () => {
    expect(await subscribers([WORKSPACE_ID])).to.deep.equal([]);
    await stores.store({ endpoints: [named('new')] });
    expect(await subscribers([WORKSPACE_ID])).to.have.length(1);
  });

  it('finds no more endpoints than asked for', async () => {
    await stores.store({ endpoints: ['a', 'b', 'c'].map((name) => named(name)) });
    const limit = { ...LIMIT, endpoints: 2 };
    expect(await subscribers([WORKSPACE_ID], ['billing.plan_changed'], limit)).to.have.length(2);
  });

  it('finds no more endpoints once they have as many subscriptions as asked for', async () => {
    const eventTypes = ['api_token.created', 'billing.plan_changed'] as const;
    const endpoints = ['a', 'b', 'c', 'd'].map((name) => named(name, { eventTypes }));
    await stores.store({ endpoints });
    const types = ['billing.plan_changed'] as const;
    for (const [cost, found] of [
      [3, 2],
      [4, 2],
      [5, 3],
    ] as const) {
      const limit = { ...LIMIT, cost };
      expect(await subscribers([WORKSPACE_ID], types, limit)).to.have.length(found);
      const page = await stores.fanOut.subscribersAfter({
        workspaceId: WORKSPACE_ID,
        types,
        after: null,
        limit,
      });
      const ids = endpoints.map(({ id }) => id).sort();
      expect(page.map(({ id }) => id)).to.deep.equal(ids.slice(0, found));
    }
  });

  it('counts subscriptions that others replaced in the limit', async () => {
    const earlier = [{ eventType: 'api_token.created', since: NOON }];
    const subscriptions = [{ eventType: '*', since: NOON, earlier }];
    await stores.store({ endpoints: ['a', 'b', 'c'].map((name) => named(name, { subscriptions })) });
    const limit = { ...LIMIT, cost: 3 };
    const found = await stores.fanOut.subscribers({ workspaceIds: [WORKSPACE_ID], types: ['*'], limit });
    expect(found).to.have.length(2);
    expect(found[0]?.subscriptions).to.deep.equal(subscriptions);
  });

  it('finds the endpoints of a workspace in pages by identifier', async () => {
    const endpoints = ['a', 'b', 'c', 'd', 'e'].map((name) => named(name));
    const other = named('of another type', { eventTypes: ['api_token.revoked'] });
    const there = named('there', { workspaceId: OTHER_WORKSPACE });
    await stores.store({ endpoints: [...endpoints, other, there, named('deleted', { deletedAt: NOON })] });
    const page = (after: EndpointId | null) =>
      stores.fanOut.subscribersAfter({
        workspaceId: WORKSPACE_ID,
        types: ['billing.plan_changed'],
        after,
        limit: { ...LIMIT, endpoints: 2 },
      });
    const found: EndpointId[] = [];
    for (let next = await page(null); next.length > 0; next = await page(found.at(-1) ?? null))
      found.push(...next.map(({ id }) => id));
    expect(found).to.deep.equal(endpoints.map(({ id }) => id).sort());
  });

  it('keeps the furthest progress of an event', async () => {
    const [first, second] = ['a', 'b'].map((name) => idFor('endpoint', name)).sort();
    const key = eventKey({ eventId: idFor('event', 'large'), workspaceId: WORKSPACE_ID });
    const other = eventKey({ eventId: idFor('event', 'large'), workspaceId: OTHER_WORKSPACE });
    const save = (after: EndpointId | undefined, isComplete: boolean) =>
      stores.fanOut.saveProgress(new Map([[key, { after: after!, isComplete }]]));
    expect(await stores.fanOut.progressOf([key])).to.deep.equal(new Map());
    await save(second, false);
    await save(first, false);
    expect(await stores.fanOut.progressOf([key, other])).to.deep.equal(
      new Map([[key, { after: second, isComplete: false }]]),
    );
    await save(second, true);
    await save(second, false);
    expect((await stores.fanOut.progressOf([key])).get(key)).to.include({ isComplete: true });
  });

  it('stores rows unchanged', async () => {
    await stores.fanOut.insert(rowsNamed('one', 'two'), []);
    expect(await stores.rows()).to.have.deep.members(rowsNamed('one', 'two'));
  });

  it('keeps existing rows and stores the others', async () => {
    const known = aFailedDelivery(2, { id: idFor('delivery', 'two') });
    await stores.store({ deliveries: [known] });
    const inserted = await stores.fanOut.insert(rowsNamed('one', 'two', 'three', 'two'), []);
    expect(inserted, 'the new ones').to.deep.equal(rowsNamed('one', 'three'));
    expect(await stores.rows()).to.have.deep.members([known, ...rowsNamed('one', 'three')]);
  });

  it('changes nothing when rows are stored twice', async () => {
    await stores.fanOut.insert(rowsNamed('one', 'two'), []);
    await stores.fanOut.insert(rowsNamed('one', 'two'), []);
    expect(await stores.rows()).to.have.deep.members(rowsNamed('one', 'two'));
  });

  const held = heldDelivery(
    {
      id: idFor('delivery', 'held'),
      workspaceId: WORKSPACE_ID,
      endpointId: ENDPOINT_ID,
      eventType: 'billing.plan_changed',
      payload: {},
      traceId: TRACE_ID,
      createdAt: NOON,
      dueAt: NOON,
    },
    later(-60_000),
  );

  it('stores held rows with their record, once', async () => {
    expect(await stores.fanOut.insert(rowsNamed('one'), [held])).to.have.length(2);
    expect(await stores.fanOut.insert(rowsNamed('one'), [held])).to.deep.equal([]);
    expect(await stores.rows()).to.have.deep.members([...rowsNamed('one'), held.row]);
    expect(await stores.attempts()).to.deep.equal([held.record]);
    expect(held.row).to.include({
      status: 'failed_permanent',
      failureReason: 'endpoint_disabled',
      attempts: 0,
    });
    expect(held.record).to.include({ ordinal: 1, status: 'failed_permanent', durationMs: null });
  });

  it('adds to the counts of a disabled period and starts those of the next one', async () => {
    const endpoint = named('disabled', { enabled: false, disabledAt: NOON });
    await stores.store({ endpoints: [endpoint] });
    const count = (since: Date, rows: number, missed: number) =>
      stores.fanOut.countHeld([{ endpointId: endpoint.id, since, rows, missed }]);
    const holding = async () => (await stores.endpoints())[0]?.holding;
    await count(NOON, 3, 0);
    await count(NOON, 2, 4);
    expect(await holding()).to.deep.equal({ since: NOON, rows: 5, missed: 4 });
    await count(later(1), 1, 0);
    expect(await holding()).to.deep.equal({ since: later(1), rows: 1, missed: 0 });
    await count(NOON, 7, 7);
    expect(await holding(), 'late rows of the period before').to.deep.equal({
      since: later(1),
      rows: 1,
      missed: 0,
    });
  });
  // Regression: nothing was known of the deliveries that an endpoint missed before its last disabled period.
  it('keeps in which earlier disabled periods deliveries were missed', async () => {
    const endpoint = named('disabled', { enabled: false, disabledAt: NOON });
    await stores.store({ endpoints: [endpoint] });
    const count = (minute: number, missed: number) =>
      stores.fanOut.countHeld([{ endpointId: endpoint.id, since: later(minute * 60_000), rows: 1, missed }]);
    const minutes = async () =>
      (await stores.endpoints())[0]?.missedPeriods?.map(
        (since) => (since.getTime() - NOON.getTime()) / 60_000,
      );
    await count(0, 0);
    await count(1, 0);
    await count(1, 4);
    expect(await minutes(), 'while they are the current counts').to.equal(undefined);
    await count(3, 0);
    expect(await minutes(), 'without those in which none was').to.deep.equal([1]);
    await count(3, 2);
    await count(1, 1);
    await count(2, 0);
    expect(await minutes(), 'late counts of an earlier period').to.deep.equal([1]);
    await count(2, 1);
    expect(await minutes(), 'its first late missed one').to.deep.equal([1, 2]);
    for (let minute = 4; minute <= 24; minute += 1) await count(minute, 1);
    expect(await minutes(), 'up to 21').to.deep.equal(Array.from({ length: 21 }, (_, n) => n + 3));
    expect((await stores.endpoints())[0]?.holding).to.deep.equal({
      since: later(24 * 60_000),
      rows: 1,
      missed: 1,
    });
  });
}
