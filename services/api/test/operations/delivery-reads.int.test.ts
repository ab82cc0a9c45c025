import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import { toAttemptDocument } from '@postrider/shared/mongo/documents';
import { aLastAttempt } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { Delivery, DeliveryAttempt } from '../../src/contract/delivery.js';
import type { Page } from '../../src/contract/page.js';
import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { storedDelivery } from '../delivery-row.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

describe('delivery reads', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  let endpoint: Webhook;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
    endpoint = await endpoints.create();
  });
  after(() => world?.destroy());

  const aDelivery = (status: DeliveryStatus, facts: { endpointId?: string; createdAt?: Date } = {}) =>
    storedDelivery(world, {
      endpointId: endpoint.id,
      status,
      payload: { eventId: newId('event'), plan: 'team', nested: { list: [1, 'two', null] } },
      ...facts,
    });

  it('return a delivery and its attempts, by ordinal, as one page', async () => {
    const delivery = await aDelivery('failed_permanent');
    const attempt = (ordinal: number, status: 'failed' | 'failed_permanent', httpStatus: number) => ({
      deliveryId: delivery.id,
      workspaceId: world.workspace.id,
      endpointId: endpoint.id,
      ordinal,
      status,
      httpStatus,
      failureReason: 'http_status' as const,
      attemptedAt: new Date('2026-03-01T09:30:00.000Z'),
      durationMs: 21.5,
      requestHeaders: { 'webhook-id': delivery.id },
      responseBody: 'no',
      streak: { version: ordinal, before: ordinal - 1, after: ordinal },
    });
    const { attempts, deliveries } = world.database.collections;
    const separate = [attempt(2, 'failed', 502), attempt(1, 'failed', 503)];
    await attempts.insertMany(separate.map(toAttemptDocument));
    const {
      deliveryId: _,
      workspaceId: __,
      endpointId: ___,
      ...record
    } = attempt(3, 'failed_permanent', 404);
    await deliveries.updateOne({ _id: delivery.id }, { $push: { records: record } });
    const { body } = await admin.request<Page<DeliveryAttempt>>(
      `/webhooks/deliveries/${delivery.id}/attempts`,
    );
    expect(body.nextCursor).to.equal(null);
    expect(body.items.map(({ ordinal, httpStatus }) => [ordinal, httpStatus])).to.deep.equal([
      [1, 503],
      [2, 502],
      [3, 404],
    ]);
    expect(body.items[0]).to.deep.equal({
      deliveryId: delivery.id,
      ordinal: 1,
      status: 'failed',
      httpStatus: 503,
      failureReason: 'http_status',
      errorDetail: null,
      attemptedAt: '2026-03-01T09:30:00.000Z',
      durationMs: 21.5,
      requestHeaders: { 'webhook-id': delivery.id },
      responseBody: 'no',
      timings: null,
      remoteAddress: null,
    });
    const one = await admin.request<Delivery>(`/webhooks/deliveries/${delivery.id}`);
    expect(one.body.payload).to.deep.equal(delivery.payload);
    expect(one.body).to.not.have.any.keys('dueAt', 'workspaceId', 'failingSince');
  });

  it('show why no TLS connection was established, in the attempt and the summary', async () => {
    const { id } = await aDelivery('failed');
    const lastAttempt = aLastAttempt({
      failureReason: 'tls',
      httpStatus: null,
      errorDetail: 'hostname_mismatch',
    });
    const record = { ...lastAttempt, status: 'failed', requestHeaders: null, streak: null } as const;
    await world.database.collections.deliveries.updateOne(
      { _id: id },
      { $set: { lastAttempt }, $push: { records: record } },
    );
    const { body } = await admin.request<Delivery>(`/webhooks/deliveries/${id}`);
    expect(body.lastAttempt).to.include({ failureReason: 'tls', errorDetail: 'hostname_mismatch' });
    const attempts = await admin.request<Page<DeliveryAttempt>>(`/webhooks/deliveries/${id}/attempts`);
    expect(attempts.body.items[0]).to.include({ errorDetail: 'hostname_mismatch' });
  });

  describe('list_webhook_deliveries', () => {
    const start = Date.parse('2026-03-01T00:00:00.000Z');
    const statuses = ['delivered', 'failed', 'dead_lettered', 'delivered', 'failed_permanent'] as const;
    let listed: Webhook;
    const ids: string[] = [];
    before(async () => {
      listed = await endpoints.create();
      for (const [index, status] of statuses.entries()) {
        const createdAt = new Date(start + index * 60_000);
        ids.push((await aDelivery(status, { endpointId: listed.id, createdAt })).id);
      }
      ids.reverse();
    });
    const list = async (query = '') =>
      (await admin.request<Page<Delivery>>(`/webhooks/${listed.id}/deliveries${query}`)).body;
    const idsOf = (page: Page<Delivery>) => page.items.map(({ deliveryId }) => deliveryId);

    it('lists newest first and continues after the last page despite concurrent inserts', async () => {
      const first = await list('?limit=2');
      expect(idsOf(first)).to.deep.equal(ids.slice(0, 2));
      const late = await aDelivery('delivered', {
        endpointId: listed.id,
        createdAt: new Date(start + 600_000),
      });
      const second = await list(`?limit=2&cursor=${first.nextCursor}`);
      expect(idsOf(second)).to.deep.equal(ids.slice(2, 4));
      const last = await list(`?limit=2&cursor=${second.nextCursor}`);
      expect([idsOf(last), last.nextCursor]).to.deep.equal([ids.slice(4), null]);
      await world.database.collections.deliveries.deleteOne({ _id: late.id });
    });

    it('filters by status, event type and time, on every page', async () => {
      expect(idsOf(await list('?status=delivered'))).to.deep.equal([ids[1], ids[4]]);
      expect(idsOf(await list('?status=dead_lettered'))).to.deep.equal([ids[2]]);
      expect(idsOf(await list('?status=pending'))).to.be.empty;
      expect(idsOf(await list('?eventType=billing.plan_changed'))).to.deep.equal(ids);
      expect(idsOf(await list('?eventType=webhook.test_event'))).to.be.empty;
      const after = new Date(start + 60_000).toISOString();
      const before = new Date(start + 240_000).toISOString();
      expect(idsOf(await list(`?createdAfter=${after}&createdBefore=${before}`))).to.deep.equal(
        ids.slice(1, 3),
      );
      const page = await list(`?status=delivered&limit=1`);
      expect(idsOf(await list(`?status=delivered&limit=1&cursor=${page.nextCursor}`))).to.deep.equal([
        ids[4],
      ]);
    });

    it('has each delivery on one side of a time with a fraction of a millisecond', async () => {
      const time = new Date(start + 180_000).toISOString().replace('Z', '001Z');
      const sides = [await list(`?createdAfter=${time}`), await list(`?createdBefore=${time}`)].map(idsOf);
      expect(sides).to.deep.equal([ids.slice(0, 1), ids.slice(1)]);
    });

    for (const query of [
      'status=lost',
      'status=failed,lost',
      'failureReason=bad',
      'httpStatus=ok',
      'eventType=nothing',
      'createdAfter=yesterday',
      'createdBefore=2026-13-01',
    ]) {
      it(`refuses ${query} with the name of the parameter`, async () => {
        const { status, body } = await admin.requestRefused(`/webhooks/${listed.id}/deliveries?${query}`);
        expect([status, body.tag]).to.deep.equal([400, 'InvalidRequest']);
        expect(body.errors?.map(({ path }) => path)).to.deep.equal([query.split('=')[0]]);
      });
    }

    it('returns an empty page for a cursor that is invalid or from another list or endpoint', async () => {
      const foreign = (await admin.request<Page<Webhook>>('/webhooks?limit=1')).body.nextCursor;
      const other = await admin.request<Page<Delivery>>(`/webhooks/${endpoint.id}/deliveries?limit=1`);
      for (const cursor of ['nonsense', '', 'W10', `${foreign}`, `${other.body.nextCursor}`]) {
        expect(await list(`?cursor=${cursor}`)).to.deep.equal({ items: [], nextCursor: null });
      }
    });

    it('filters by several statuses and reasons, and by the HTTP status of the last attempt', async () => {
      expect(idsOf(await list('?status=dead_lettered,failed'))).to.deep.equal([ids[2], ids[3]]);
      expect(idsOf(await list('?status=delivered,failed_permanent'))).to.deep.equal([ids[0], ids[1], ids[4]]);
      expect(idsOf(await list('?failureReason=timeout,http_status'))).to.deep.equal([ids[0], ids[3]]);
      expect(idsOf(await list('?failureReason=timeout&status=delivered'))).to.be.empty;
      expect(idsOf(await list('?httpStatus=500'))).to.be.empty;
    });

    it('clamps any number as limit and refuses anything else', async () => {
      for (const limit of ['0', '-5', '0.4', '-1e9'])
        expect((await list(`?limit=${limit}`)).items).to.have.length(1);
      expect((await list('?limit=2.9')).items).to.have.length(2);
      for (const limit of ['1e9', '201', '9'.repeat(400), '1e999']) {
        expect((await list(`?limit=${limit}`)).items).to.have.length(5);
      }
      for (const limit of ['abc', '', '1,5', '0x10', 'NaN', 'Infinity']) {
        expect(
          (await admin.requestRefused(`/webhooks/${listed.id}/deliveries?limit=${limit}`)).status,
        ).to.equal(400);
      }
      const twice = await admin.requestRefused(`/webhooks/${listed.id}/deliveries?limit=1&limit=2`);
      expect(twice.body.errors?.[0]?.path).to.equal('limit');
    });
  });
});
