import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { aLastAttempt } from '@postrider/shared/testing/builders';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { Delivery } from '../../src/contract/delivery.js';
import type { Page } from '../../src/contract/page.js';
import { createDeliveryReads } from '../../src/mongo/delivery-reads.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { deliveryRow, storedDelivery } from '../delivery-row.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

/** A page without conditions. */
const ANY = {
  endpointIds: null,
  statuses: null,
  eventType: null,
  eventId: null,
  traceId: null,
  failureReasons: null,
  lastFailureReasons: null,
  httpStatus: null,
  createdAfter: null,
  createdBefore: null,
  after: null,
  limit: 10,
} as const;
const START = Date.parse('2026-03-01T00:00:00.000Z');

describe('list_deliveries', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  let one: string;
  let other: string;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
    one = (await endpoints.create()).id;
    other = (await endpoints.create()).id;
  });
  after(() => world?.destroy());
  beforeEach(() => world.database.collections.deliveries.deleteMany({}));

  const store = async (
    minute: number,
    status: DeliveryStatus,
    facts: { endpointId?: string; eventId?: string } = {},
  ) => {
    const { endpointId = one, eventId = newId('event') } = facts;
    const createdAt = new Date(START + minute * 60_000);
    return (await storedDelivery(world, { endpointId, status, createdAt, payload: { eventId } })).id;
  };
  const list = async (query = '') =>
    (await admin.request<Page<Delivery>>(`/webhooks/deliveries${query}`)).body;
  /** A page reads at most three rows. */
  const boundedReads = () => createDeliveryReads(world.database, 3);
  const idsOf = (page: Page<Delivery>) => page.items.map(({ deliveryId }) => deliveryId);

  it('lists the deliveries of all endpoints of the workspace, newest first, in pages', async () => {
    const ids = [
      await store(1, 'delivered'),
      await store(2, 'failed', { endpointId: other }),
      await store(3, 'pending'),
    ];
    const first = await list('?limit=2');
    expect(idsOf(first)).to.deep.equal([ids[2], ids[1]]);
    const last = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect([idsOf(last), last.nextCursor]).to.deep.equal([[ids[0]], null]);
    expect(idsOf(await list(`?endpointId=${other}`))).to.deep.equal([ids[1]]);
    expect(idsOf(await list('?status=pending'))).to.deep.equal([ids[2]]);
    expect(idsOf(await list('?status=failed,pending'))).to.deep.equal([ids[2], ids[1]]);
  });

  it('finds deliveries by event and by trace, and combines filters', async () => {
    const eventId = newId('event');
    const ids = [
      await store(1, 'delivered', { eventId }),
      await store(2, 'failed', { endpointId: other, eventId }),
    ];
    await store(3, 'delivered');
    const traceId = 'c'.repeat(32);
    await world.database.collections.deliveries.updateOne({ _id: ids[0]! }, { $set: { traceId } });
    const page = await list(`?eventId=${eventId}`);
    expect(idsOf(page)).to.deep.equal([ids[1], ids[0]]);
    expect(page.items[1]).to.include({ eventId, traceId, replayedBy: null });
    expect(idsOf(await list(`?traceId=${traceId}`))).to.deep.equal([ids[0]]);
    expect(idsOf(await list(`?eventId=${eventId}&status=failed`))).to.deep.equal([ids[1]]);
    expect(idsOf(await list(`?eventId=${eventId}&endpointId=${one}`))).to.deep.equal([ids[0]]);
    expect(idsOf(await list(`?eventId=${eventId}&traceId=${traceId}`))).to.deep.equal([ids[0]]);
    expect(idsOf(await list(`?eventId=${newId('event')}`))).to.be.empty;
    const after = new Date(START + 90_000).toISOString();
    expect(idsOf(await list(`?eventId=${eventId}&createdAfter=${after}`))).to.deep.equal([ids[1]]);
  });

  it('finds dead-lettered deliveries by the reason of their last attempt', async () => {
    const failedWith = async (minute: number, status: DeliveryStatus, failureReason: 'tls' | 'dns') => {
      const id = await store(minute, status);
      const lastAttempt = aLastAttempt({ failureReason, httpStatus: null, responseBody: null });
      await world.database.collections.deliveries.updateOne({ _id: id }, { $set: { lastAttempt } });
      return id;
    };
    const [dead, retried, other] = [
      await failedWith(1, 'dead_lettered', 'tls'),
      await failedWith(2, 'failed', 'tls'),
      await failedWith(3, 'dead_lettered', 'dns'),
    ];
    await store(4, 'delivered');
    expect(idsOf(await list('?lastFailureReason=tls'))).to.deep.equal([retried, dead]);
    expect(idsOf(await list('?lastFailureReason=tls&status=dead_lettered,delivered'))).to.deep.equal([dead]);
    expect(idsOf(await list('?lastFailureReason=tls,dns&failureReason=retries_exhausted'))).to.deep.equal([
      other,
      dead,
    ]);
    const ofOne = await admin.request<Page<Delivery>>(`/webhooks/${one}/deliveries?lastFailureReason=dns`);
    expect(idsOf(ofOne.body)).to.deep.equal([other]);
    for (const unknown of ['nonsense', 'retries_exhausted']) {
      const refused = await admin.requestRefused(`/webhooks/deliveries?lastFailureReason=${unknown}`);
      expect([refused.status, refused.body.tag]).to.deep.equal([400, 'InvalidRequest']);
      expect(refused.body.errors).to.have.nested.property('[0].path', 'lastFailureReason');
    }
  });

  it('names the newest replay of a delivery, which itself does not change', async () => {
    const id = await store(1, 'dead_lettered');
    const replay = () => admin.request<Delivery>(`/webhooks/deliveries/${id}/replay`, { method: 'POST' });
    await replay();
    const { body: newest } = await replay();
    const { body } = await admin.request<Delivery>(`/webhooks/deliveries/${id}`);
    expect(body.replayedBy).to.equal(newest.deliveryId);
    const page = await list('?status=dead_lettered');
    expect(page.items.map(({ replayedBy }) => replayedBy)).to.deep.equal([newest.deliveryId]);
    expect(newest).to.include({ replayedBy: null, replayedFrom: id });
  });

  it('shows nothing of another workspace, also with its ids', async () => {
    const stranger = await world.addWorkspace('search-stranger');
    const eventId = newId('event');
    const facts = { workspaceId: stranger.id, endpointId: newId('endpoint'), status: 'failed' } as const;
    const row = deliveryRow({ ...facts, payload: { eventId } });
    await world.database.collections.deliveries.insertOne(toDeliveryDocument(row));
    for (const query of ['', `?eventId=${eventId}`, `?traceId=${row.traceId}`]) {
      expect(await list(query), query).to.deep.equal({ items: [], nextCursor: null });
    }
  });

  it('reveals no row of another workspace as the end of what a page has read', async () => {
    const stranger = await world.addWorkspace('bounded-stranger');
    const [endpointId, eventId] = [newId('endpoint'), newId('event')];
    const facts = { workspaceId: stranger.id, endpointId, status: 'failed', payload: { eventId } } as const;
    const rows = Array.from({ length: 4 }, () => toDeliveryDocument(deliveryRow(facts)));
    await world.database.collections.deliveries.insertMany(rows);
    for (const foreign of [{ endpointIds: [endpointId] }, { eventId }]) {
      const found = await boundedReads().list(world.workspace.id, { ...ANY, ...foreign, httpStatus: 599 });
      expect(found, Object.keys(foreign)[0]).to.deep.equal({ deliveries: [], readTo: null });
    }
  });

  it('does not read the rows of an endpoint of another workspace', async () => {
    const stranger = await world.addWorkspace('unread-stranger');
    const owner = await world.as(['admin'], { workspace: stranger });
    const { id: endpointId } = await endpointsOf(world, owner).create();
    const facts = { workspaceId: stranger.id, endpointId, status: 'failed' } as const;
    await world.database.collections.deliveries.insertOne(toDeliveryDocument(deliveryRow(facts)));
    const operations = await profiled(world.database.db, async () => {
      for (const path of [`deliveries?endpointId=${endpointId}&`, `${endpointId}/deliveries?`]) {
        const { status, body } = await admin.requestRefused(`/webhooks/${path}httpStatus=599`);
        expect([status, body.tag], path).to.deep.equal([404, 'EndpointNotFound']);
      }
    });
    expect(operations.filter(({ ns }) => ns.endsWith('.deliveries'))).to.be.empty;
  });

  it('refuses values of the wrong kind together', async () => {
    const mistakes = { httpStatus: 'ok', createdAfter: 'yesterday', createdBefore: '2026-13-01' };
    const query = new URLSearchParams(mistakes);
    const { status, body } = await admin.requestRefused(`/webhooks/deliveries?${query}`);
    expect([status, body.tag]).to.deep.equal([400, 'InvalidRequest']);
    expect(body.errors?.map(({ path }) => path)).to.have.members(Object.keys(mistakes));
  });

  it('refuses a number that is no HTTP status', async () => {
    for (const httpStatus of ['99', '404.5', '1000']) {
      const { status, body } = await admin.requestRefused(`/webhooks/deliveries?httpStatus=${httpStatus}`);
      expect([status, body.errors?.map(({ path }) => path)], httpStatus).to.deep.equal([400, ['httpStatus']]);
    }
  });

  it('finds nothing for events and traces that cannot exist', async () => {
    await store(1, 'failed');
    for (const query of ['?eventId=evt_1', '?traceId=nonsense'])
      expect(await list(query), query).to.deep.equal({ items: [], nextCursor: null });
  });

  it('finds the deliveries of a deleted endpoint, and refuses an endpoint that the workspace never had', async () => {
    const { id: endpointId } = await endpointsOf(world, admin).create();
    const { id } = await storedDelivery(world, { endpointId, status: 'failed_permanent' });
    await admin.request(`/webhooks/${endpointId}`, { method: 'DELETE' });
    expect(idsOf(await list(`?endpointId=${endpointId}`))).to.deep.equal([id]);
    for (const unknown of ['whd_1', newId('endpoint')]) {
      const { status, body } = await admin.requestRefused(`/webhooks/deliveries?endpointId=${unknown}`);
      expect([status, body.tag], unknown).to.deep.equal([404, 'EndpointNotFound']);
    }
  });

  it('refuses times that exclude each other, and finds nothing between equal ones', async () => {
    await store(1, 'delivered');
    const query = '?createdAfter=2026-03-02T00:00:00Z&createdBefore=2026-03-01T00:00:00Z';
    for (const path of ['/webhooks/deliveries', `/webhooks/${one}/deliveries`]) {
      const { status, body } = await admin.requestRefused(`${path}${query}`);
      expect([status, body.tag], path).to.deep.equal([400, 'InvalidRequest']);
      expect(body.errors).to.deep.equal([
        { path: 'createdBefore', message: 'must not be before createdAfter' },
      ]);
    }
    expect(await list(query.replace('03-02', '03-01'))).to.deep.equal({ items: [], nextCursor: null });
  });

  it('reads a bounded number of rows for a page, and continues from there', async () => {
    const wanted = [await store(1, 'failed_permanent'), await store(9, 'failed_permanent')];
    for (let minute = 2; minute < 9; minute += 1) await store(minute, 'delivered');
    const found: string[] = [];
    let pages = 0;
    for (let after: string | null = null; ; pages += 1) {
      const slice = { ...ANY, statuses: ['failed_permanent', 'pending'] as const, after };
      const page = await boundedReads().list(world.workspace.id, slice);
      found.push(...page.deliveries.map(({ id }) => id));
      if (page.readTo === null) break;
      after = page.readTo;
    }
    expect(found).to.deep.equal(wanted.toReversed());
    expect(pages).to.equal(3);
  });

  it('shows no row twice if others are inserted while a bounded page is read', async () => {
    const wanted = await store(4, 'failed_permanent');
    for (const minute of [1, 2, 3, 5, 6]) await store(minute, 'delivered');
    const { collections, client } = world.database;
    const findOne = async (...args: Parameters<typeof collections.deliveries.findOne>) => {
      await store(7, 'delivered');
      return collections.deliveries.findOne(...args);
    };
    const deliveries = new Proxy(collections.deliveries, {
      get: (target, name) => (name === 'findOne' ? findOne : Reflect.get(target, name).bind(target)),
    });
    const reads = createDeliveryReads({ client, collections: { ...collections, deliveries } }, 3);
    const slice = { ...ANY, statuses: ['failed_permanent', 'pending'] as const };
    const first = await reads.list(world.workspace.id, slice);
    expect(first.deliveries.map(({ id }) => id)).to.deep.equal([wanted]);
    const next = await reads.list(world.workspace.id, { ...slice, after: first.readTo });
    expect(next.deliveries).to.be.empty;
  });
});
