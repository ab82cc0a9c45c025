import { hashToken } from '@postrider/shared/domain/api-token';
import { HOUR_MS } from '@postrider/shared/domain/durations';
import { latencyPercentiles } from '@postrider/shared/domain/latency-buckets';
import { toDocument } from '@postrider/shared/mongo/documents';
import { statsId } from '@postrider/shared/mongo/stats-store';
import { anEndpoint } from '@postrider/shared/testing/builders';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { Delivery } from '../../src/contract/delivery.js';
import type { DeliveryStats } from '../../src/contract/delivery-stats.js';
import type { EventExplanation } from '../../src/contract/event-explanation.js';
import type { Page } from '../../src/contract/page.js';
import type { CreatedPortalLink, PortalLink } from '../../src/contract/portal-link.js';
import type { TokenSession } from '../../src/contract/session.js';
import type { Webhook } from '../../src/contract/webhook.js';
import { type ApiClient, createApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { storedDelivery } from '../delivery-row.js';
import { assistant } from '../mcp/mcp-client.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

const MINUTE_MS = 60_000;
/** Begins a day. */
const FIRST_HOUR = Date.UTC(2026, 2, 1);

/** The latencies of hours in which all of hour n are in bucket n, as far as there are so many. */
function sumByBucket(hours: readonly number[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const n of hours) sums.set(n % 49, (sums.get(n % 49) ?? 0) + n);
  return sums;
}

describe('portal links', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());

  const create = (body: object, as = admin) => as.request<CreatedPortalLink>('/portal-links', { body });
  const clientOf = ({ id, token }: CreatedPortalLink) =>
    createApiClient({ origin: admin.origin, slug: 'acme', secret: token, tokenId: id });
  const open = async (body: object, as = admin) => clientOf((await create(body, as)).body);
  const sessionOf = async ({ secret }: ApiClient) => {
    const response = await fetch(`${admin.origin}/session`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    return (await response.json()) as TokenSession;
  };
  const permissionsOf = async (as: ApiClient) => (await sessionOf(as)).permissions;
  const isAlive = async (as: ApiClient) => (await as.request('/webhooks')).status === 200;
  const until = (ms: number) => new Date(world.clock.now().getTime() + ms);

  it('open the console signed in, for an hour, and store only a digest', async () => {
    const now = world.clock.now().getTime();
    const { status, body } = await create({});
    expect(status).to.equal(201);
    expect(body.url).to.equal(`${admin.origin}/console/#token=${body.token}`);
    expect(body.token).to.match(/^prt_portal_[A-Za-z0-9_-]{43}$/);
    expect(Date.parse(body.expiresAt) - now).to.be.within(60 * MINUTE_MS, 61 * MINUTE_MS);
    const stored = await world.database.collections.portalLinks.findOne({ _id: body.id });
    expect(stored).to.include({ hash: hashToken(body.token), makerId: admin.tokenId });
    const [entry] = await world.audits(body.id);
    expect(entry).to.deep.include({
      action: 'portal_link.created',
      actor: { type: 'api_token', id: admin.tokenId },
      target: { type: 'portal_link', id: body.id },
    });
    expect(JSON.stringify([stored, entry, world.log.lines])).to.not.include(body.token);
  });

  it('are neither listed nor counted among the tokens', async () => {
    const { body } = await create({});
    const { body: tokens } = await admin.request('/api-tokens');
    expect(JSON.stringify(tokens)).to.not.include(body.id);
    expect(await world.database.collections.apiTokens.countDocuments()).to.equal(1);
  });

  it('have by default the permissions of a customer, as far as their creator has them', async () => {
    expect(await permissionsOf(await open({}))).to.have.members([
      'webhook:list',
      'event_type:list',
      'webhook:create',
      'webhook:update',
      'webhook:rotate_secret',
      'webhook:test',
      'webhook:replay',
      'replay_job:create',
      'replay_job:list',
    ]);
    const creator = await world.as(['portal_link:create', 'webhook:list', 'member:list']);
    expect(await permissionsOf(await open({}, creator))).to.deep.equal(['webhook:list']);
    expect(await permissionsOf(await open({ scopes: ['member:list'] }, creator))).to.deep.equal([
      'member:list',
    ]);
    const { status, body } = await creator.requestRefused('/portal-links', {
      body: { scopes: ['webhook:update'] },
    });
    expect([status, body.tag]).to.deep.equal([403, 'ScopeExceedsAuthority']);
  });

  it('name their endpoints and what they can use of their permissions', async () => {
    const { id } = await endpoints.create();
    const scopes = ['webhook:list', 'webhook:create', 'portal_link:create', 'member:list'];
    const limited = await sessionOf(await open({ endpointIds: [id], scopes }));
    expect(limited).to.deep.include({ effectivePermissions: ['webhook:list'], endpointIds: [id] });
    expect(limited.permissions).to.have.members(scopes);
    const unlimited = await sessionOf(await open({ scopes }));
    expect(unlimited.effectivePermissions).to.have.members(['webhook:list', 'webhook:create', 'member:list']);
    expect(unlimited.endpointIds).to.equal(null);
  });

  it('end by themselves, and never after their creator', async () => {
    const short = await open({ expiresIn: 60 });
    const expiresAt = until(5 * MINUTE_MS);
    const creator = await world.as(['admin'], { expiresAt });
    const { body } = await create({ expiresIn: 86_400 }, creator);
    expect(body.expiresAt).to.equal(expiresAt.toISOString());
    expect(await isAlive(short)).to.equal(true);
    world.clock.advance(MINUTE_MS + 1_000);
    expect([await isAlive(short), await isAlive(clientOf(body))]).to.deep.equal([false, true]);
    world.clock.advance(5 * MINUTE_MS);
    expect(await isAlive(clientOf(body))).to.equal(false);
  });

  it('end with the revocation of their creator, and with their own', async () => {
    const creator = await world.as(['admin']);
    const [one, other] = [await open({}, creator), await open({}, creator)];
    expect([await isAlive(one), await isAlive(other)]).to.deep.equal([true, true]);
    const revoke = () => admin.request(`/portal-links/${one.tokenId}`, { method: 'DELETE' });
    expect([(await revoke()).status, (await revoke()).status]).to.deep.equal([204, 204]);
    expect([await isAlive(one), await isAlive(other)]).to.deep.equal([false, true]);
    expect((await world.audits(one.tokenId)).map(({ action }) => action)).to.deep.equal([
      'portal_link.created',
      'portal_link.revoked',
    ]);
    await admin.request(`/api-tokens/${creator.tokenId}`, { method: 'DELETE' });
    expect(await isAlive(other)).to.equal(false);
  });

  it('are listed newest first with their status, and without a secret', async () => {
    const workspace = await world.addWorkspace('listed');
    const owner = await world.as(['admin'], { workspace });
    const creator = await world.as(['portal_link:create', 'webhook:list'], { workspace });
    const { id: endpointId } = await endpointsOf(world, owner).create();
    const ids: string[] = [];
    for (const [body, as] of [
      [{ expiresIn: 60 }, owner],
      [{}, owner],
      [{}, creator],
      [{ endpointIds: [endpointId], scopes: ['webhook:list'] }, owner],
    ] as const) {
      ids.push((await create(body, as)).body.id);
      world.clock.advance(1_000);
    }
    await owner.request(`/portal-links/${ids[1]}`, { method: 'DELETE' });
    await owner.request(`/api-tokens/${creator.tokenId}`, { method: 'DELETE' });
    world.clock.advance(MINUTE_MS);
    const { body } = await owner.request<Page<PortalLink>>('/portal-links');
    expect(body.items.map(({ id, status }) => [id, status])).to.deep.equal([
      [ids[3], 'active'],
      [ids[2], 'revoked'],
      [ids[1], 'revoked'],
      [ids[0], 'expired'],
    ]);
    expect(body.items[0]).to.deep.include({
      endpointIds: [endpointId],
      scopes: ['webhook:list'],
      createdBy: owner.tokenId,
      revokedAt: null,
    });
    expect(JSON.stringify(body)).to.not.match(/hash|prt_/);
    const { body: first } = await owner.request<Page<PortalLink>>('/portal-links?limit=3');
    const { body: rest } = await owner.request<Page<PortalLink>>(
      `/portal-links?cursor=${encodeURIComponent(first.nextCursor ?? '')}`,
    );
    expect(rest.items.map(({ id }) => id)).to.deep.equal([ids[0]]);
    const { body: others } = await admin.request<Page<PortalLink>>('/portal-links');
    expect(JSON.stringify(others)).to.not.include(ids[3]);
    const { status } = await (await world.as(['read'])).requestRefused('/portal-links');
    expect(status).to.equal(403);
  });

  for (const [name, body, path] of [
    ['an empty list of endpoints', { endpointIds: [] }, 'endpointIds'],
    ['a life that is too short', { expiresIn: 59 }, 'expiresIn'],
    ['a life that is too long', { expiresIn: 86_401 }, 'expiresIn'],
  ] as const) {
    it(`refuse ${name}`, async () => {
      const { status, body: problem } = await admin.requestRefused('/portal-links', { body });
      expect([status, problem.errors?.[0]?.path]).to.deep.equal([400, path]);
    });
  }

  it('make neither tokens nor portal links, whatever their scopes', async () => {
    const portal = await open({ scopes: ['admin'] });
    expect((await portal.request('/members')).status).to.equal(200);
    for (const [path, body] of [
      ['/api-tokens', { name: 'x', scopes: ['read'], expiresAt: until(MINUTE_MS).toISOString() }],
      ['/portal-links', {}],
    ] as const) {
      const refused = await portal.requestRefused(path, { body });
      expect([refused.status, refused.body.tag], path).to.deep.equal([403, 'Forbidden']);
    }
  });

  it('are the actors of what they change', async () => {
    const { id } = await endpoints.create();
    const portal = await open({ endpointIds: [id] });
    const change = { method: 'PATCH', body: { description: 'by a customer' } };
    expect((await portal.request(`/webhooks/${id}`, change)).status).to.equal(200);
    const audits = await world.audits(id);
    expect(audits.at(-1)!.actor).to.deep.equal({ type: 'portal_link', id: portal.tokenId });
  });

  it('see and change their endpoints and deliveries', async () => {
    const mine = [await endpoints.create(), await endpoints.create(), await endpoints.create()];
    await endpoints.create();
    const endpointIds = mine.map(({ id }) => id).sort();
    const portal = await open({ endpointIds, scopes: ['admin'] });
    const first = (await portal.request<Page<Webhook>>('/webhooks?limit=2')).body;
    const rest = (await portal.request<Page<Webhook>>(`/webhooks?limit=2&cursor=${first.nextCursor}`)).body;
    expect([...first.items, ...rest.items].map(({ id }) => id)).to.deep.equal(endpointIds);
    expect(rest.nextCursor).to.equal(null);
    const [endpointId] = endpointIds as [string];
    const { id } = await storedDelivery(world, { endpointId, status: 'dead_lettered' });
    const listed = (await portal.request<Page<Delivery>>(`/webhooks/${endpointId}/deliveries`)).body;
    expect(listed.items.map(({ deliveryId }) => deliveryId)).to.deep.equal([id]);
    const statuses: number[] = [];
    for (const [method, path] of [
      ['GET', `/webhooks/deliveries/${id}`],
      ['GET', `/webhooks/deliveries/${id}/attempts`],
      ['POST', `/webhooks/deliveries/${id}/replay`],
      ['POST', `/webhooks/${endpointId}/test-event`],
      ['POST', `/webhooks/${endpointId}/rotate-secret`],
      ['GET', '/stream?source=events'],
      ['DELETE', `/webhooks/${endpointId}`],
      ['GET', `/webhooks/${endpointId}`],
    ] as const) {
      statuses.push((await portal.request(path, { method })).status);
    }
    expect(statuses).to.deep.equal([200, 200, 202, 202, 200, 404, 204, 404]);
    expect((await portal.request<Page<Webhook>>('/webhooks')).body.items).to.have.length(2);
  });

  for (const [step, hours] of [
    ['hour', 1],
    ['day', 24],
  ] as const)
    it(`show the sums of a hundred endpoints, of which the database returns one document for each ${step}`, async () => {
      const starts = Array.from({ length: 72 / hours }, (_, index) => FIRST_HOUR + index * hours * HOUR_MS);
      const ids = Array.from({ length: 100 }, () => newId('endpoint'));
      // Of another endpoint, and of hours before and after, too.
      const documents = [...ids, newId('endpoint')].flatMap((id) =>
        Array.from({ length: 74 }, (_, n) => {
          const hour = new Date(FIRST_HOUR + (n - 1) * HOUR_MS);
          const counts = { delivered: n, attempts: 6, held: -1, latency: { [n % 49]: n } };
          return { _id: statsId(id, hour), hour, version: 1, ...counts };
        }),
      );
      const { endpoints: stored, endpointStats } = world.database.collections;
      const rows = ids.map((id) => anEndpoint({ id, workspaceId: world.workspace.id }));
      await stored.insertMany(rows.map(toDocument));
      await endpointStats.insertMany(documents);
      const portal = await open({ endpointIds: ids });
      const [from, to] = [FIRST_HOUR, FIRST_HOUR + 72 * HOUR_MS].map((at) => new Date(at).toISOString());
      let items: DeliveryStats['items'] = [];
      const operations = await profiled(world.database.db, async () => {
        const query = `from=${from}&to=${to}&step=${step}`;
        items = (await portal.request<DeliveryStats>(`/stats?${query}`)).body.items;
      });
      const reads = operations.filter(({ ns }) => ns.endsWith(endpointStats.collectionName));
      expect(reads.reduce((sum, { nreturned = 0 }) => sum + nreturned, 0)).to.equal(starts.length);
      const expected = starts.map((start) => {
        const first = (start - FIRST_HOUR) / HOUR_MS + 1;
        const numbers = Array.from({ length: hours }, (_, index) => first + index);
        const delivered = numbers.reduce((sum, n) => sum + 100 * n, 0);
        const latencyMs = latencyPercentiles(sumByBucket(numbers));
        return { start: new Date(start).toISOString(), delivered, attempts: 600 * hours, held: 0, latencyMs };
      });
      expect(items).to.have.length(expected.length);
      for (const [index, item] of items.entries()) expect(item).to.deep.include(expected[index]);
    });

  // Regression: it took a query for each endpoint, at the same time.
  it('explain an event to a link for a hundred endpoints with one query, deleted ones included', async () => {
    const { endpoints: stored } = world.database.collections;
    const ids = Array.from({ length: 100 }, () => newId('endpoint')).sort();
    const rows = ids.map((id) => anEndpoint({ id, workspaceId: world.workspace.id }));
    await stored.insertMany(rows.map(toDocument));
    const portal = await open({ endpointIds: ids });
    await admin.request(`/webhooks/${ids[1]}`, { method: 'DELETE' });
    const explain = async (query: string) =>
      (await portal.request<EventExplanation>(`/events/${newId('event')}?${query}`)).body;
    const pages: EventExplanation[] = [];
    const operations = await profiled(world.database.db, async () => {
      pages.push(await explain('limit=3'));
    });
    expect(pages[0]?.items.map(({ endpointId }) => endpointId)).to.deep.equal(ids.slice(0, 3));
    const reads = operations.filter(({ ns, op }) => ns.endsWith(stored.collectionName) && op === 'query');
    expect(reads.map(({ nreturned }) => nreturned)).to.deep.equal([4]);
  });

  it('offer assistants only the tools that they may call', async () => {
    const { id } = await endpoints.create();
    const portal = await open({ endpointIds: [id], scopes: ['read', 'webhook:create'] });
    const { client, close } = await assistant(admin.origin, portal.secret);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).to.include('list_webhooks').and.to.not.include.members(['list_members', 'create_webhook']);
    const result = await client.callTool({ name: 'list_members', arguments: {} });
    expect(JSON.stringify(result)).to.include('WorkspaceNotFound');
    await close();
  });
});
