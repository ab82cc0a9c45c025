import type { Delivery } from '@postrider/shared/domain/delivery';
import { originOf } from '@postrider/shared/domain/endpoint';
import { FIRST_LEVEL, NEWEST_LEVEL } from '@postrider/shared/domain/feature-level';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { expect } from 'chai';
import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { deliveryRow } from '../delivery-row.js';
import { CREATE, type Endpoints, endpointsOf } from './endpoints-of.js';

describe('the recovery of endpoints', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());

  const change = async (id: string, body: object) =>
    (await admin.request<Webhook>(`/webhooks/${id}`, { method: 'PATCH', body })).body;
  const patch = (id: string, body: object) =>
    admin.requestRefused(`/webhooks/${id}`, { method: 'PATCH', body });

  /** An endpoint that failures have disabled. */
  async function disabledByFailures(facts: object = {}): Promise<string> {
    const { id } = await endpoints.create(facts);
    const disabled = {
      enabled: false,
      disabledReason: 'consecutive_failures',
      disabledAt: new Date(),
    } as const;
    const $set = { ...disabled, consecutiveFailures: 20, streakVersion: 20 };
    await world.database.collections.endpoints.updateOne({ _id: id }, { $set });
    return id;
  }

  /** A delivery that was closed in a disabled period of the endpoint. */
  function heldRow(endpointId: string, heldSince: Date): Delivery {
    const row = deliveryRow({ workspaceId: world.workspace.id, endpointId, status: 'failed_permanent' });
    return { ...row, failureReason: 'endpoint_disabled', heldSince } as Delivery;
  }

  it('is manual unless asked for, and shown', async () => {
    expect((await endpoints.create()).recovery).to.equal('manual');
    expect((await endpoints.create({ recovery: 'probe' })).recovery).to.equal('probe');
  });

  it('plans probes when a disabled endpoint shall recover, and ends them when it shall not', async () => {
    const id = await disabledByFailures();
    expect((await change(id, { recovery: 'probe' })).recovery).to.equal('probe');
    expect((await endpoints.stored(id))?.probeAt).to.be.instanceOf(Date);
    expect((await world.audits(id)).at(-1)?.metadata).to.deep.include({ changed: ['recovery'] });
    await change(id, { recovery: 'manual' });
    expect(await endpoints.stored(id)).to.include({ recovery: 'manual', probeAt: null });
    const audits = (await world.audits(id)).length;
    await change(id, { recovery: 'manual' });
    expect(await world.audits(id), 'no change, no entry').to.have.length(audits);
  });

  it('plans no probes for an enabled endpoint and for one that its operator disabled', async () => {
    const { id } = await endpoints.create();
    await change(id, { recovery: 'probe' });
    expect((await endpoints.stored(id))?.probeAt).to.equal(null);
    await change(id, { enabled: false });
    expect((await endpoints.stored(id))?.probeAt).to.equal(null);
  });

  it('ends when an operator disables what failures have disabled, which stays in its disabled period', async () => {
    const id = await disabledByFailures();
    const { disabledAt } = (await endpoints.stored(id))!;
    const rows = [1, 2].map(() => heldRow(id, disabledAt!));
    await world.database.collections.deliveries.insertMany(rows.map(toDeliveryDocument));
    await change(id, { recovery: 'probe' });
    const before = (await endpoints.stored(id))!;
    const disabled = await change(id, { enabled: false });
    expect(disabled).to.include({ disabledReason: 'operator', heldDeliveries: 2 });
    const after = (await endpoints.stored(id))!;
    expect(after).to.deep.include({ disabledAt: before.disabledAt, probeAt: null, recovery: 'probe' });
    expect((await endpoints.actions(id)).at(-1)).to.equal('webhook_endpoint.disabled');
  });

  it('ends when an operator disables what failures have disabled, whatever it is, with one audit entry', async () => {
    const id = await disabledByFailures();
    const before = (await endpoints.stored(id))!;
    expect(await change(id, { enabled: false })).to.include({ disabledReason: 'operator' });
    await change(id, { enabled: false });
    await change(id, { recovery: 'probe' });
    expect(await endpoints.stored(id)).to.deep.include({ disabledAt: before.disabledAt, probeAt: null });
    const entries = await world.database.collections.auditEvents
      .find({ 'target.id': id, action: 'webhook_endpoint.disabled' })
      .toArray();
    const reasons = { reason: 'operator', previousReason: 'consecutive_failures' };
    expect(entries.map(({ metadata }) => metadata)).to.deep.equal([
      { origin: originOf(before.url), ...reasons },
    ]);
  });

  it('ends when the endpoint is enabled', async () => {
    const id = await disabledByFailures();
    await change(id, { recovery: 'probe' });
    await change(id, { enabled: true });
    expect(await endpoints.stored(id)).to.include({ enabled: true, probeAt: null });
  });

  it('is refused until every process understands probes; manual is not', async () => {
    const { id } = await endpoints.create();
    world.featureLevel.set(FIRST_LEVEL);
    const refused = [
      await patch(id, { recovery: 'probe' }),
      await admin.requestRefused('/webhooks', { body: { ...CREATE, recovery: 'probe' } }),
    ];
    const manual = await change(id, { recovery: 'manual' });
    world.featureLevel.set(NEWEST_LEVEL);
    expect(refused.map(({ body }) => body.tag)).to.deep.equal(Array(2).fill('UpgradeInProgress'));
    expect(manual.recovery).to.equal('manual');
  });

  for (const recovery of ['automatic', null, 7]) {
    it(`refuses ${JSON.stringify(recovery)}, on create and PATCH`, async () => {
      const { id } = await endpoints.create();
      const refused = [
        await patch(id, { recovery }),
        await admin.requestRefused('/webhooks', { body: { ...CREATE, recovery } }),
      ];
      for (const { status, body } of refused) {
        expect([status, body.tag]).to.deep.equal([400, 'InvalidRequest']);
        expect(body.errors?.map(({ path }) => path)).to.deep.equal(['recovery']);
      }
    });
  }
});
