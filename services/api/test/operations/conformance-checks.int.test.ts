import { CHECK_LIMIT_MS } from '@postrider/shared/domain/conformance-check';
import { expect } from 'chai';
import type { ConformanceCheck, StartedConformanceCheck } from '../../src/contract/conformance-check.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

describe('conformance checks', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());

  const path = (endpointId: string) => `/webhooks/${endpointId}/conformance-checks`;
  const post = { method: 'POST', body: undefined } as const;
  const start = async (endpointId: string, by = admin) =>
    (await by.request<StartedConformanceCheck>(path(endpointId), post)).body;
  const get = async (endpointId: string, checkId: string) =>
    (await admin.request<ConformanceCheck>(`${path(endpointId)}/${checkId}`)).body;

  it('is stored for the dispatchers with its audit entry, without a delivery', async () => {
    const { id } = await endpoints.create();
    const { checkId, status } = await start(id);
    expect(status).to.equal('running');
    const check = await get(id, checkId);
    expect(check).to.deep.include({ endpointId: id, status: 'running', endedAt: null, results: [] });
    const stored = await world.database.collections.conformanceChecks.findOne({ _id: checkId });
    expect(stored?.leaseUntil).to.deep.equal(stored?.startedAt);
    const [, entry] = await world.audits(id);
    expect(entry).to.deep.include({ action: 'webhook.conformance_checked', metadata: { checkId } });
    expect(await world.database.collections.deliveries.countDocuments({ endpointId: id })).to.equal(0);
  });

  it('is failed after five minutes although no dispatcher runs', async () => {
    const { id } = await endpoints.create();
    const { checkId } = await start(id);
    world.clock.advance(CHECK_LIMIT_MS);
    const check = await get(id, checkId);
    expect(check.status).to.equal('failed');
    expect(check.results).to.have.length(7);
  });

  it('is refused at a disabled endpoint, and the sixth time within an hour', async () => {
    const disabled = await endpoints.create({ enabled: false });
    const refused = await admin.requestRefused(path(disabled.id), post);
    expect(refused.body).to.include({ status: 409, tag: 'EndpointDisabled' });
    const { id } = await endpoints.create();
    for (let n = 0; n < 5; n += 1) await start(id);
    const sixth = await admin.requestRefused(path(id), post);
    expect(sixth.body).to.include({ status: 429, tag: 'RateLimited' });
    expect(Number(sixth.headers.get('retry-after'))).to.be.within(3_500, 3_600);
    expect((await endpoints.actions(id)).filter((action) => action.includes('conformance'))).to.have.length(
      5,
    );
    world.clock.advance(3_600_000);
    await start(id);
  });

  it('is refused after sixty within an hour in a workspace, at whichever endpoints', async () => {
    const by = await world.as(['admin'], { workspace: await world.addWorkspace('checks-many') });
    const { create } = endpointsOf(world, by);
    for (let n = 0; n < 12; n += 1) {
      const { id } = await create();
      for (let check = 0; check < 5; check += 1) await start(id, by);
    }
    const { id } = await create();
    const { body } = await by.requestRefused(path(id), post);
    expect(body).to.include({ status: 429, tag: 'RateLimited' });
    expect(body.detail).to.include('of this workspace');
  });

  it('is found at its own endpoint and workspace only', async () => {
    const [one, other] = [await endpoints.create(), await endpoints.create()];
    const { checkId } = await start(one.id);
    const elsewhere = await admin.requestRefused(`${path(other.id)}/${checkId}`);
    expect(elsewhere.body).to.include({ status: 404, tag: 'ConformanceCheckNotFound' });
    const stranger = await world.as(['admin'], { workspace: await world.addWorkspace('checks-stranger') });
    expect((await stranger.requestRefused(`${path(one.id)}/${checkId}`)).body.status).to.equal(404);
    expect((await stranger.requestRefused(path(one.id), post)).body.tag).to.equal('EndpointNotFound');
  });
});
