import { DELIVERY_STATUSES } from '@postrider/shared/domain/delivery';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { expect } from 'chai';
import type { Webhook } from '../src/contract/webhook.js';
import type { ApiClient } from './api-client.js';
import { type ApiWorld, apiWorld } from './api-world.js';
import { deliveryRow } from './delivery-row.js';

/** One query in the database's profile. */
interface Profiled {
  readonly ns: string;
  readonly op: string;
  readonly planSummary?: string;
  readonly hasSortStage?: boolean;
  readonly docsExamined?: number;
  readonly keysExamined?: number;
}

const DELIVERIES_EACH = 1_000;
/** Two pending and two failed deliveries. */
const DUE_EACH = 4;

describe('indexes of every read', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  const endpoints: string[] = [];

  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    const body = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };
    for (let count = 0; count < 3; count += 1) {
      endpoints.push((await admin.request<Webhook>('/webhooks', { body })).body.id);
    }
    await world.database.collections.deliveries.insertMany(endpoints.flatMap(deliveriesOf));
    await world.database.db.command({ profile: 2 });
  });
  after(() => world?.destroy());

  function deliveriesOf(endpointId: string) {
    const start = world.clock.now().getTime() - DELIVERIES_EACH * 1_000;
    return Array.from({ length: DELIVERIES_EACH }, (_, index) => {
      const at = new Date(start + index * 1_000);
      const status = index % 100 === 0 ? DELIVERY_STATUSES[(index / 100) % 5]! : 'delivered';
      const payload = { padding: 'x'.repeat(500) };
      const owner = { workspaceId: world.workspace.id, endpointId };
      return toDeliveryDocument(deliveryRow({ ...owner, status, createdAt: at, payload }));
    });
  }

  /** All queries that a request causes. */
  async function reads(path: string): Promise<readonly Profiled[]> {
    const profile = world.database.db.collection<Profiled & { ts: Date }>('system.profile');
    const from = new Date();
    expect((await admin.request(path)).status).to.equal(200);
    const ours = { ts: { $gte: from }, op: { $in: ['query', 'command'] }, planSummary: { $exists: true } };
    const rows = await profile.find(ours).toArray();
    return rows.filter(({ ns }) => !ns.endsWith('system.profile'));
  }

  for (const path of [
    '/overview',
    '/notifications',
    '/audit-events',
    '/api-tokens',
    '/members',
    '/invitations',
    '/webhooks/replay-jobs',
    '/webhooks',
    '/webhooks?cursor={webhooks}',
    '/webhooks/{endpoint}',
    '/webhooks/{endpoint}/deliveries',
    '/webhooks/deliveries/{delivery}',
    '/webhooks/deliveries/{delivery}/attempts',
  ]) {
    it(`GET ${path} scans no collection and sorts nothing in memory`, async () => {
      const { body: page } = await admin.request<{ nextCursor: string }>('/webhooks?limit=1');
      const delivery = await world.database.collections.deliveries.findOne({ endpointId: endpoints[1]! });
      const actualPath = path
        .replace('{endpoint}', endpoints[1]!)
        .replace('{delivery}', delivery!._id)
        .replace('{webhooks}', page.nextCursor);
      const found = await reads(actualPath);
      expect(found).to.not.be.empty;
      for (const { planSummary, hasSortStage, ns } of found) {
        expect(`${ns} ${planSummary}`).to.match(/IXSCAN|IDHACK|EOF|DISTINCT_SCAN|COUNT_SCAN/);
        expect(hasSortStage ?? false, ns).to.equal(false);
      }
    });
  }

  const choices = (name: string, values: readonly string[]) => [
    '',
    ...values.map((one) => `&${name}=${one}`),
  ];
  const filters = choices('status', DELIVERY_STATUSES).flatMap((status) =>
    choices('eventType', ['billing.plan_changed', 'webhook.test_event']).flatMap((type) =>
      choices('createdAfter', ['2026-01-01T00:00:00Z']).flatMap((from) =>
        choices('createdBefore', ['2100-01-01T00:00:00Z']).map((to) => `${status}${type}${from}${to}`),
      ),
    ),
  );

  it('serve the list of deliveries with every combination of filters', async () => {
    for (const filter of filters) {
      const found = await reads(`/webhooks/${endpoints[0]}/deliveries?limit=2${filter}`);
      const [list] = found.filter(({ ns }) => ns.endsWith('.deliveries'));
      expect(list?.planSummary, filter).to.match(/IXSCAN/);
      // Of pending deliveries it may sort the few rows that are due.
      const maySort = filter.includes('status=pending') && list!.docsExamined! <= DUE_EACH;
      if (!maySort) expect(list!.hasSortStage ?? false, filter).to.equal(false);
    }
  });

  it('find few pending deliveries without reading delivered ones', async () => {
    const pending = await reads(`/webhooks/${endpoints[0]}/deliveries?status=pending`);
    expect(pending.find(({ ns }) => ns.endsWith('.deliveries'))!.docsExamined).to.be.at.most(DUE_EACH);
  });

  it('read as many rows for a deep page of deliveries as for the first', async () => {
    let path = `/webhooks/${endpoints[0]}/deliveries?limit=50`;
    for (let page = 0; page < 15; page += 1) {
      const { body } = await admin.request<{ nextCursor: string }>(path);
      path = `/webhooks/${endpoints[0]}/deliveries?limit=50&cursor=${body.nextCursor}`;
    }
    const deep = (await reads(path)).find(({ ns }) => ns.endsWith('.deliveries'));
    expect(deep!.docsExamined).to.be.at.most(52);
    expect(deep!.keysExamined).to.be.at.most(52);
  });

  it('count the overview from index keys and read rows only for due deliveries', async () => {
    world.clock.advance(15_001);
    const counts = (await reads('/overview')).filter(({ ns }) => ns.endsWith('.deliveries'));
    expect(counts).to.not.be.empty;
    const docs = counts.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
    expect(docs).to.be.at.most(3 * 10);
  });
});
