import { DELIVERY_STATUSES } from '@postrider/shared/domain/delivery';
import type { Notification } from '@postrider/shared/domain/notification';
import { toDeliveryDocument, toDocument } from '@postrider/shared/mongo/documents';
import { expect } from 'chai';
import type { AuditEvent } from '../../src/contract/audit-event.js';
import type * as wire from '../../src/contract/notification.js';
import type { Page } from '../../src/contract/page.js';
import type { WorkspaceOverview } from '../../src/contract/workspace.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { deliveryRow } from '../delivery-row.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('workspace', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
  });
  after(() => world?.destroy());

  describe('change_plan', () => {
    it('changes the plan with audit entry and event, and writes neither for the current plan', async () => {
      const offered = world.offered.length;
      const change = () => admin.request('/billing/plan', { method: 'PUT', body: { plan: 'business' } });
      expect(await change()).to.deep.include({ status: 200, body: { plan: 'business' } });
      expect(await change()).to.deep.include({ status: 200, body: { plan: 'business' } });
      const stored = await world.database.collections.workspaces.findOne({ _id: world.workspace.id });
      expect(stored).to.include({ plan: 'business', guard: 0, slug: 'acme' });
      const records = world.offered.slice(offered);
      expect(records).to.have.length(1);
      expect(records[0]!.value).to.include({ previousPlan: 'free', plan: 'business' });
      expect(records[0]!.headers).to.include({
        ce_type: 'billing.plan_changed',
        ce_source: '/workspaces/acme',
      });
      expect((await world.audits(world.workspace.id)).map(({ action }) => action)).to.deep.equal([
        'billing.plan_changed',
      ]);
    });

    it('refuses an unknown plan', async () => {
      for (const plan of ['gold', ['team'], null, 3]) {
        const { status, body } = await admin.requestRefused('/billing/plan', {
          method: 'PUT',
          body: { plan },
        });
        expect([status, body.errors?.[0]?.path]).to.deep.equal([400, 'plan']);
      }
    });
  });

  describe('get_workspace_overview', () => {
    it('counts endpoints, and the deliveries of the last 24 hours by status', async () => {
      const workspace = await world.addWorkspace('counted');
      const counted = await world.as(['admin'], { workspace });
      const body = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };
      const make = async (facts: object) =>
        (await counted.request<{ id: string }>('/webhooks', { body: { ...body, ...facts } })).body.id;
      const endpointId = await make({});
      await make({ enabled: false });
      await counted.request(`/webhooks/${await make({})}`, { method: 'DELETE' });
      const now = world.clock.now().getTime();
      const rows = DELIVERY_STATUSES.flatMap((status, index) =>
        [...Array(index + 1).fill(now - 1_000), now - DAY_MS - 60_000].map((time) =>
          toDeliveryDocument(
            deliveryRow({ workspaceId: workspace.id, endpointId, status, createdAt: new Date(time) }),
          ),
        ),
      );
      await world.database.collections.deliveries.insertMany(rows);
      const overview = await counted.request<WorkspaceOverview>('/overview');
      expect(overview.body).to.deep.equal({
        slug: 'counted',
        name: 'counted',
        plan: 'free',
        endpoints: { total: 2, enabled: 1, disabled: 1 },
        last24h: {
          pending: 1,
          delivered: 2,
          failed: 3,
          failedPermanent: 4,
          deadLettered: 5,
          held: 0,
          successRate: 2 / 11,
        },
        asOf: overview.body.asOf,
      });
      await world.database.collections.deliveries.deleteMany({ workspaceId: workspace.id });
      const again = (await counted.request<WorkspaceOverview>('/overview')).body;
      expect(again.asOf).to.equal(overview.body.asOf);
      world.clock.advance(15_001);
      const fresh = (await counted.request<WorkspaceOverview>('/overview')).body;
      expect(fresh.last24h).to.include({ delivered: 0, successRate: null });
    });
  });

  describe('list_notifications and list_audit_events', () => {
    it('are newest first by (createdAt, id), even if ids are in another order', async () => {
      const workspace = await world.addWorkspace('lists');
      const reader = await world.as(['read'], { workspace });
      const noon = Date.parse('2026-03-01T12:00:00.000Z');
      const notification = (minute: number, named: number): Notification => ({
        id: newId('notification', new Date(noon + named)),
        workspaceId: workspace.id,
        kind: 'endpoint_stopped_receiving',
        message: 'It stopped receiving.',
        endpointId: newId('endpoint'),
        data: { deliveryId: 'whd_1', failingSince: '2026-03-01T09:30:00.000Z' },
        createdAt: new Date(noon + minute * 60_000),
      });
      const inOrder = [notification(9, 1), notification(8, 5), notification(8, 4), notification(7, 9)];
      await world.database.collections.notifications.insertMany([...inOrder].reverse().map(toDocument));
      const first = await reader.request<Page<wire.Notification>>('/notifications?limit=2');
      const rest = await reader.request<Page<wire.Notification>>(
        `/notifications?limit=2&cursor=${first.body.nextCursor}`,
      );
      const ids = [...first.body.items, ...rest.body.items].map(({ id }) => id);
      expect(ids).to.deep.equal(inOrder.map(({ id }) => id));
      expect(rest.body.nextCursor).to.equal(null);
      expect(first.body.items[0]).to.not.have.property('workspaceId');
      const strangers = await admin.request<Page<wire.Notification>>(
        `/notifications?cursor=${first.body.nextCursor}`,
      );
      expect(strangers.body).to.deep.equal({ items: [], nextCursor: null });
    });

    it('return actor, action and target, and never the internal streak', async () => {
      const { body } = await admin.request<Page<AuditEvent>>('/audit-events?limit=1');
      expect(Object.keys(body.items[0]!)).to.deep.equal([
        'id',
        'action',
        'actor',
        'target',
        'metadata',
        'source',
        'createdAt',
      ]);
    });
  });
});
