import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import { expect } from 'chai';
import type { Delivery } from '../../src/contract/delivery.js';
import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { storedDelivery } from '../delivery-row.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

const HOUR_MS = 3_600_000;

describe('deliveries on request', () => {
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

  const row = (id: string) => world.database.collections.deliveries.findOne({ _id: id });

  const aDelivery = (status: DeliveryStatus, facts: { endpointId?: string; createdAt?: Date } = {}) =>
    storedDelivery(world, {
      endpointId: endpoint.id,
      status,
      payload: { eventId: newId('event'), plan: 'team', nested: { list: [1, 'two', null] } },
      ...facts,
    });

  describe('send_webhook_test_event', () => {
    it('returns a pending delivery, stores it, and enqueues its message and nothing else', async () => {
      const offered = world.offered.length;
      const traceId = 'b'.repeat(32);
      const { status, body } = await admin.request<Delivery>(`/webhooks/${endpoint.id}/test-event`, {
        method: 'POST',
        headers: { traceparent: `00-${traceId}-${'c'.repeat(16)}-01` },
      });
      expect(status).to.equal(202);
      expect(body).to.deep.include({
        endpointId: endpoint.id,
        eventType: 'webhook.test_event',
        status: 'pending',
        attempts: 0,
        lastAttempt: null,
        nextAttemptAt: null,
        failureReason: null,
      });
      expect(body).to.not.have.property('replayedFrom');
      expect(body.payload).to.include({ endpointId: endpoint.id, workspaceId: world.workspace.id });
      const stored = await row(body.deliveryId);
      expect(stored).to.include({ traceId, status: 'pending' });
      expect(stored!.dueAt).to.deep.equal(stored!.createdAt);
      expect(
        world.offered.slice(offered).map(({ topic, key, value }) => ({ topic, key, value })),
      ).to.deep.equal([
        {
          topic: 'webhook.deliveries',
          key: endpoint.id,
          value: {
            version: 1,
            deliveryId: body.deliveryId,
            endpointId: endpoint.id,
            workspaceId: world.workspace.id,
            ordinal: 1,
            traceId,
          },
        },
      ]);
      const entries = await world.audits(endpoint.id);
      expect(entries.at(-1)).to.deep.include({
        action: 'webhook.test_event_sent',
        metadata: { deliveryId: body.deliveryId },
      });
    });

    it('refuses a disabled endpoint and writes nothing', async () => {
      const { id } = await endpoints.create();
      await admin.request(`/webhooks/${id}`, { method: 'PATCH', body: { enabled: false } });
      const { status, body } = await admin.requestRefused(`/webhooks/${id}/test-event`, { method: 'POST' });
      expect([status, body.tag]).to.deep.equal([409, 'EndpointDisabled']);
      expect(await world.database.collections.deliveries.countDocuments({ endpointId: id })).to.equal(0);
    });
  });

  describe('replay_webhook_delivery', () => {
    for (const status of ['failed', 'failed_permanent', 'dead_lettered'] as const) {
      it(`creates a verbatim copy of a ${status} delivery and does not change the original`, async () => {
        const source = await aDelivery(status);
        const before = await row(source.id);
        const offered = world.offered.length;
        const answer = await admin.request<Delivery>(`/webhooks/deliveries/${source.id}/replay`, {
          method: 'POST',
        });
        expect(answer.status).to.equal(202);
        expect(answer.body).to.deep.include({
          replayedFrom: source.id,
          status: 'pending',
          attempts: 0,
          payload: source.payload,
          eventType: source.eventType,
        });
        expect(answer.body.deliveryId).to.not.equal(source.id);
        expect(await row(source.id)).to.deep.equal(before);
        expect(await world.audits(source.id)).to.have.length(1);
        expect((await world.audits(source.id))[0]).to.deep.include({
          action: 'webhook.delivery_replayed',
          target: { type: 'delivery', id: source.id },
          metadata: { replayDeliveryId: answer.body.deliveryId },
        });
        const records = world.offered.slice(offered);
        expect(records.map(({ topic, id }) => [topic, id])).to.deep.equal([
          ['webhook.deliveries', answer.body.deliveryId],
        ]);
      });
    }

    for (const status of ['pending', 'delivered'] as const) {
      it(`refuses a ${status} delivery and writes nothing`, async () => {
        const source = await aDelivery(status);
        const answer = await admin.requestRefused(`/webhooks/deliveries/${source.id}/replay`, {
          method: 'POST',
        });
        expect([answer.status, answer.body.tag]).to.deep.equal([409, 'DeliveryNotReplayable']);
        expect(await world.audits(source.id)).to.be.empty;
        expect(
          await world.database.collections.deliveries.countDocuments({ replayedFrom: source.id }),
        ).to.equal(0);
      });
    }

    it('refuses while the endpoint is disabled, succeeds once it is enabled, and returns 404 after its deletion', async () => {
      const { id } = await endpoints.create();
      const source = await aDelivery('dead_lettered', { endpointId: id });
      const replay = () =>
        admin.requestRefused(`/webhooks/deliveries/${source.id}/replay`, { method: 'POST' });
      await admin.request(`/webhooks/${id}`, { method: 'PATCH', body: { enabled: false } });
      expect((await replay()).body.tag).to.equal('EndpointDisabled');
      await admin.request(`/webhooks/${id}`, { method: 'PATCH', body: { enabled: true } });
      expect((await replay()).status).to.equal(202);
      await admin.request(`/webhooks/${id}`, { method: 'DELETE' });
      expect((await replay()).body.tag).to.equal('EndpointNotFound');
      expect(await world.audits(source.id)).to.have.length(1);
    });

    it("returns 404 for another workspace's delivery", async () => {
      const source = await aDelivery('failed');
      const stranger = await world.as(['admin'], { workspace: await world.addWorkspace('replay-stranger') });
      for (const [path, method] of [
        [`/webhooks/deliveries/${source.id}/replay`, 'POST'],
        [`/webhooks/deliveries/${source.id}/attempts`, 'GET'],
        [`/webhooks/deliveries/${source.id}`, 'GET'],
      ] as const) {
        const { status, body } = await stranger.requestRefused(path, { method });
        expect([status, body.tag]).to.deep.equal([404, 'DeliveryNotFound']);
      }
      const list = await stranger.requestRefused(`/webhooks/${endpoint.id}/deliveries`);
      expect(list.body.tag).to.equal('EndpointNotFound');
    });

    describe('with a hundred concurrent requests', () => {
      const replays = (source: { id: string }, headers: Record<string, string> = {}) =>
        Promise.all(
          Array.from({ length: 100 }, () =>
            admin.request<Delivery>(`/webhooks/deliveries/${source.id}/replay`, { method: 'POST', headers }),
          ),
        );
      const rows = (source: { id: string }) =>
        world.database.collections.deliveries.countDocuments({ replayedFrom: source.id });

      it('creates a hundred deliveries, audit entries and messages', async () => {
        const source = await aDelivery('failed_permanent');
        const offered = world.offered.length;
        const answers = await replays(source);
        expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([202]));
        expect(new Set(answers.map(({ body }) => body.deliveryId)).size).to.equal(100);
        expect(await rows(source)).to.equal(100);
        expect(await world.audits(source.id)).to.have.length(100);
        expect(world.offered).to.have.length(offered + 100);
      });

      it('creates one delivery, audit entry and message for one idempotency key', async () => {
        const source = await aDelivery('failed_permanent');
        const offered = world.offered.length;
        const answers = await replays(source, { 'idempotency-key': source.id });
        expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([202]));
        expect(new Set(answers.map(({ body }) => body.deliveryId)).size).to.equal(1);
        expect(await rows(source)).to.equal(1);
        expect(await world.audits(source.id)).to.have.length(1);
        expect(world.offered).to.have.length(offered + 1);
      });
    });
  });

  // Last: what they store is newer than the rows of other tests.
  describe("while the database's clock is an hour ahead", () => {
    before(() => world.clock.advance(HOUR_MS));

    for (const [operation, path] of [
      ['send_webhook_test_event', async () => `/webhooks/${endpoint.id}/test-event`],
      [
        'replay_webhook_delivery',
        async () => `/webhooks/deliveries/${(await aDelivery('failed')).id}/replay`,
      ],
    ] as const)
      it(`${operation} stores a row that is due at once by the machine's clock`, async () => {
        const { body } = await admin.request<Delivery>(await path(), { method: 'POST' });
        const { createdAt, dueAt } = (await row(body.deliveryId))!;
        expect(createdAt).to.be.above(new Date(Date.now() + HOUR_MS - 60_000));
        expect(dueAt).to.be.at.most(new Date());
      });
  });
});
