import type { Workspace } from '@postrider/shared/domain/workspace';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { CONFLICTED, profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { CreatedApiToken } from '../../src/contract/api-token.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { deliveryRow } from '../delivery-row.js';

const WEBHOOK = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };
const TOKEN = { name: 'x', scopes: ['read'] };
const KINDS = [
  { kind: 'endpoints', path: '/webhooks', body: WEBHOOK, tag: 'TooManyEndpoints' },
  { kind: 'tokens', path: '/api-tokens', body: TOKEN, tag: 'TooManyTokens' },
] as const;

const invitation = (n: number) => ({ email: `member-${n}@example.com`, role: 'viewer' });
const checksPath = (endpointId: string) => `/webhooks/${endpointId}/conformance-checks`;

describe('concurrent creations in one workspace', () => {
  let world: ApiWorld;
  let workspace: Workspace;
  let admin: ApiClient;
  let slugs = 0;
  before(async () => {
    world = await apiWorld({ RATE_LIMIT_REST_WRITE: '0' });
  });
  beforeEach(async () => {
    workspace = await world.addWorkspace(`busy-${++slugs}`);
    admin = await world.as(['admin'], { workspace });
  });
  after(() => world?.destroy());

  const create = (count: number, { path, body }: (typeof KINDS)[number]) =>
    Promise.all(Array.from({ length: count }, () => admin.requestRefused(path, { body })));
  const countOf = (results: readonly { readonly status: number }[], status: number) =>
    results.filter((one) => one.status === status).length;
  const conflictsDuring = (work: () => Promise<unknown>) => profiled(world.database.db, work, CONFLICTED);
  const setQuota = (quotas: object) =>
    world.database.collections.workspaces.updateOne({ _id: workspace.id }, { $set: { quotas } });
  const quotaPlaces = () => world.database.collections.quotaPlaces;

  for (const kind of KINDS) {
    // Regression: all of them wrote one field of the workspace, and on a loaded machine many were refused with 503.
    for (const count of [16, 64]) {
      it(`accepts ${count} ${kind.kind} without a conflict`, async () => {
        const conflicts = await conflictsDuring(async () => {
          expect(countOf(await create(count, kind), 201)).to.equal(count);
        });
        expect(conflicts).to.deep.equal([]);
      });
    }

    it(`accepts exactly as many ${kind.kind} as the quota allows`, async () => {
      await setQuota({ endpoints: 20, tokens: 21 });
      await create(10, kind);
      const results = await create(40, kind);
      expect([countOf(results, 201), countOf(results, 409)]).to.deep.equal([10, 30]);
      const refused = results.filter(({ status }) => status !== 201);
      expect(new Set(refused.map(({ body }) => body.tag))).to.deep.equal(new Set([kind.tag]));
    });

    it(`leaves the last place to one of the ${kind.kind} that are created by another process`, async () => {
      await setQuota({ endpoints: 1, tokens: 2 });
      const placeOf = { id: newId('endpoint'), until: new Date(Date.now() + 60_000) };
      const _id = `${kind.kind} ${workspace.id}`;
      await quotaPlaces().insertOne({ _id, places: [placeOf] });
      const [refused] = await create(1, kind);
      expect([refused!.status, refused!.body.tag]).to.deep.equal([503, 'Unavailable']);
      await quotaPlaces().updateOne({ _id }, { $set: { places: [{ ...placeOf, until: new Date(0) }] } });
      expect(countOf(await create(1, kind), 201)).to.equal(1);
    });
  }

  // Regression: each creation counted all endpoints of its workspace.
  it('do not read the endpoints that the workspace has', async () => {
    const { body: first } = await admin.request<{ id: string }>('/webhooks', { body: WEBHOOK });
    const { endpoints } = world.database.collections;
    const row = await endpoints.findOne({ _id: first.id });
    await endpoints.insertMany(Array.from({ length: 2_000 }, () => ({ ...row!, _id: newId('endpoint') })));
    const create50 = async () => expect(countOf(await create(50, KINDS[0]), 201)).to.equal(50);
    const large = await profiled(world.database.db, create50, { keysExamined: { $gte: 500 } });
    expect(large).to.deep.equal([]);
  });

  const REPLAY = { createdAfter: '2026-01-01T00:00:00Z', dryRun: true };
  for (const { what, count, path, body, status } of [
    { what: 'invitations', count: 16, path: () => '/invitations', body: invitation, status: 201 },
    { what: 'replay jobs', count: 5, path: () => '/webhooks/replay-jobs', body: () => REPLAY, status: 202 },
    { what: 'checks of an endpoint', count: 5, path: checksPath, body: () => undefined, status: 202 },
  ]) {
    it(`accepts ${count} ${what} without a conflict`, async () => {
      const { body: endpoint } = await admin.request<{ id: string }>('/webhooks', { body: WEBHOOK });
      const conflicts = await conflictsDuring(async () => {
        const results = await Promise.all(
          Array.from({ length: count }, (_, n) =>
            admin.requestRefused(path(endpoint.id), { body: body(n), method: 'POST' }),
          ),
        );
        expect(countOf(results, status), JSON.stringify(results)).to.equal(count);
      });
      expect(conflicts).to.deep.equal([]);
    });
  }

  it('accepts exactly five checks of an endpoint in an hour', async () => {
    const { body: endpoint } = await admin.request<{ id: string }>('/webhooks', { body: WEBHOOK });
    const results = await Promise.all(
      Array.from({ length: 9 }, () => admin.requestRefused(checksPath(endpoint.id), { method: 'POST' })),
    );
    expect([countOf(results, 202), countOf(results, 429)]).to.deep.equal([5, 4]);
  });

  it('accepts exactly five replay jobs that are active', async () => {
    const { body: endpoint } = await admin.request<{ id: string }>('/webhooks', { body: WEBHOOK });
    const facts = { workspaceId: workspace.id, endpointId: endpoint.id, status: 'dead_lettered' } as const;
    const rows = Array.from({ length: 60 }, () => toDeliveryDocument(deliveryRow(facts)));
    await world.database.collections.deliveries.insertMany(rows);
    const body = { createdAfter: '2026-01-01T00:00:00Z', ratePerSecond: 1, includeReplayed: true };
    const results = await Promise.all(
      Array.from({ length: 12 }, () => admin.requestRefused('/webhooks/replay-jobs', { body })),
    );
    expect([countOf(results, 202), countOf(results, 409)]).to.deep.equal([5, 7]);
  });

  it('hold no place afterwards', async () => {
    await setQuota({ tokens: 3 });
    await create(5, KINDS[1]);
    const [refused] = await create(1, KINDS[1]);
    expect(refused!.body.tag).to.equal('TooManyTokens');
    const { body } = await admin.request<{ items: CreatedApiToken[] }>('/api-tokens');
    const made = body.items.find(({ id }) => id !== admin.tokenId)!;
    await admin.request(`/api-tokens/${made.id}`, { method: 'DELETE' });
    expect(countOf(await create(2, KINDS[1]), 201)).to.equal(1);
  });
});
