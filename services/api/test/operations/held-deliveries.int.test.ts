import { heldDelivery } from '@postrider/shared/domain/delivery';
import { asId } from '@postrider/shared/domain/id';
import { toDeliveryDocument, toRecordDocument } from '@postrider/shared/mongo/documents';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Page } from '../../src/contract/page.js';
import type { ReplayJob } from '../../src/contract/replay-job.js';
import type { UpdatedWebhook, Webhook } from '../../src/contract/webhook.js';
import type { WorkspaceOverview } from '../../src/contract/workspace.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

describe('held deliveries', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());

  const patch = (id: string, body: object) =>
    admin.requestRefused(`/webhooks/${id}`, { method: 'PATCH', body });
  const change = async (id: string, body: object) =>
    (await admin.request<UpdatedWebhook>(`/webhooks/${id}`, { method: 'PATCH', body })).body;
  const get = async (id: string) => (await admin.request<Webhook>(`/webhooks/${id}`)).body;

  /** A disabled endpoint for which this many deliveries are held, as fan-out stores them. */
  async function holding(count: number, missed = 0): Promise<{ id: string; ids: string[] }> {
    const { id } = await endpoints.create();
    await change(id, { enabled: false });
    const { workspaceId, disabledAt } = (await endpoints.stored(id))!;
    const since = disabledAt!;
    const held = Array.from({ length: count }, (_, n) => {
      const at = new Date(since.getTime() - (count - n) * 1_000);
      return heldDelivery(
        {
          id: newId('delivery', at),
          workspaceId: asId('workspace', workspaceId),
          endpointId: asId('endpoint', id),
          eventType: 'billing.plan_changed',
          payload: {},
          traceId: 'a'.repeat(32),
          createdAt: at,
          dueAt: at,
        },
        since,
      );
    });
    const { deliveries } = world.database.collections;
    for (const { row, record } of held)
      await deliveries.insertOne({ ...toDeliveryDocument(row), records: [toRecordDocument(record)] });
    await world.database.collections.endpoints.updateOne(
      { _id: id },
      { $set: { holding: { since, rows: count, missed } } },
    );
    return { id, ids: held.map(({ row }) => row.id) };
  }

  it('are counted on a disabled endpoint, in lists too, and in the overview apart', async () => {
    const { id } = await holding(3, 2);
    expect(await get(id)).to.include({ heldDeliveries: 3, missedDeliveries: 2 });
    const { body } = await admin.request<Page<Webhook>>('/webhooks?limit=200');
    expect(body.items.find((one) => one.id === id)).to.include({ heldDeliveries: 3, missedDeliveries: 2 });
    const overview = (await admin.request<WorkspaceOverview>('/overview')).body;
    expect(overview.last24h).to.include({ held: 3, failedPermanent: 0, delivered: 0 });
    expect(await change(id, { enabled: true })).to.include({ heldDeliveries: 0, missedDeliveries: 0 });
    expect(await change(id, { enabled: false }), 'a new period').to.include({ heldDeliveries: 0 });
  });

  it('are replayed once, oldest first, when the endpoint is enabled with replayHeld', async () => {
    const { id, ids } = await holding(3);
    const enabled = await change(id, { enabled: true, replayHeld: true });
    expect(enabled).to.include({ enabled: true, heldDeliveries: 0 });
    const { replayJobId } = enabled;
    expect(replayJobId).to.match(/^rpl_/);
    expect(await get(id)).not.to.have.property('replayJobId');
    const { deliveries } = world.database.collections;
    const replays = () =>
      deliveries.find({ endpointId: id, replayedFrom: { $ne: null } }).sort({ $natural: 1 });
    await eventually(async () => expect(await replays().toArray()).to.have.length(3), 20_000);
    expect((await replays().toArray()).map(({ replayedFrom }) => replayedFrom)).to.deep.equal(ids);
    const job = (await admin.request<ReplayJob>(`/webhooks/replay-jobs/${replayJobId}`)).body;
    expect(job).to.deep.include({ replayed: 3, matched: 3 });
    const actions = (await world.audits(id)).map(({ action }) => action);
    expect(actions).to.include('webhook_endpoint.enabled');
  });

  it('include a recovery probe that was not sent, in every count, but it is not replayed', async () => {
    const { id, ids } = await holding(2);
    const { deliveries } = world.database.collections;
    const { disabledAt: probeOf } = (await endpoints.stored(id))!;
    await deliveries.updateOne({ _id: ids[0]! }, { $set: { probeOf: probeOf! } });
    expect(await get(id)).to.include({ heldDeliveries: 2 });
    const { replayJobId } = await change(id, { enabled: true, replayHeld: true });
    const replays = deliveries.find({ endpointId: id, replayedFrom: { $ne: null } });
    await eventually(async () => expect(await replays.clone().toArray()).to.have.length(1), 20_000);
    expect(await replays.map(({ replayedFrom }) => replayedFrom).toArray()).to.deep.equal([ids[1]]);
    const job = (await admin.request<ReplayJob>(`/webhooks/replay-jobs/${replayJobId}`)).body;
    expect(job).to.deep.include({ replayed: 1, matched: 1 });
  });

  it('belong to their period, also after the endpoint was disabled and enabled again', async () => {
    const { id } = await endpoints.create();
    const periods = [];
    for (let n = 0; n < 3; n += 1) {
      const { enabledSince } = (await endpoints.stored(id))!;
      await change(id, { enabled: false });
      const since = (await endpoints.stored(id))!.disabledAt!;
      await change(id, { enabled: true });
      periods.unshift({ since, enabledSince, enabledAt: (await endpoints.stored(id))!.enabledSince });
    }
    const [{ enabledAt: enabledSince, ...lastPeriod }, ...earlierPeriods] = periods as [
      (typeof periods)[number],
    ];
    expect(await endpoints.stored(id)).to.deep.include({ enabledSince, lastPeriod, earlierPeriods });
  });

  it('are left alone without replayHeld', async () => {
    const { id } = await holding(1);
    expect(await change(id, { enabled: true })).not.to.have.property('replayJobId');
    expect(await world.database.collections.replayJobs.countDocuments({ 'filter.endpointId': id })).to.equal(
      0,
    );
  });

  for (const [name, body] of [
    ['without enabled', { replayHeld: true }],
    ['when disabling', { replayHeld: true, enabled: false }],
    ['that is not a boolean', { replayHeld: 'yes', enabled: true }],
  ] as const) {
    it(`refuses replayHeld ${name}, and changes nothing`, async () => {
      const { id } = await holding(0);
      const before = await endpoints.stored(id);
      const refused = await patch(id, body);
      expect([refused.status, refused.body.tag]).to.deep.equal([400, 'InvalidRequest']);
      expect(refused.body.errors?.map(({ path }) => path)).to.deep.equal(['replayHeld']);
      expect(await endpoints.stored(id)).to.deep.equal(before);
    });
  }

  // Regression: the rule was checked only after the endpoint was found, and not together with other mistakes in the body.
  it('refuses replayHeld without enabled together with other mistakes, and before the endpoint is looked up', async () => {
    const { id } = await endpoints.create();
    const both = await patch(id, { replayHeld: true, url: 'http://localhost' });
    expect(both.status).to.equal(400);
    expect(both.body.errors?.map(({ path }) => path)).to.have.members(['url', 'replayHeld']);
    const unknown = await patch(newId('endpoint', new Date()), { replayHeld: true });
    expect([unknown.status, unknown.body.errors]).to.deep.equal([
      400,
      [{ path: 'replayHeld', message: 'needs enabled: true' }],
    ]);
  });

  it('refuses replayHeld for an enabled endpoint', async () => {
    const { id } = await endpoints.create();
    const refused = await patch(id, { enabled: true, replayHeld: true });
    expect([refused.status, refused.body.errors?.[0]?.path]).to.deep.equal([400, 'replayHeld']);
  });
});
