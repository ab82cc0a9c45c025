import { HOUR_MS } from '@postrider/shared/domain/durations';
import { hourOf } from '@postrider/shared/domain/stat-hours';
import { statsId } from '@postrider/shared/mongo/stats-store';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { Page } from '../../src/contract/page.js';
import type { ListedWebhook } from '../../src/contract/webhook.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { storedDelivery } from '../delivery-row.js';

describe('list_webhooks with conditions', () => {
  let world: ApiWorld;
  let admin: Awaited<ReturnType<ApiWorld['as']>>;
  /** Endpoints by what is to be said of them. */
  const ids: Record<string, string> = {};
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    await create('healthy', { metadata: { customer: 'acme', region: 'eu' } });
    await create('slow', { description: 'Takes its TIME' });
    await create('failing', { metadata: { customer: 'acme:2' } });
    await create('operator', { enabled: false });
    await create('failures', { eventTypes: ['billing.*'] });
    const { endpoints, deliveries } = world.database.collections;
    await endpoints.updateOne({ _id: ids.failing as string }, { $set: { consecutiveFailures: 3 } });
    const since = new Date();
    const disabled = { enabled: false, disabledReason: 'consecutive_failures', disabledAt: since } as const;
    await endpoints.updateOne({ _id: ids.failures as string }, { $set: disabled });
    const { id } = await storedDelivery(world, {
      endpointId: ids.failures as string,
      status: 'failed_permanent',
    });
    await deliveries.updateOne({ _id: id }, { $set: { heldSince: since } });
    await count('slow', { ago: 0, fields: { delivered: 30, latency: { 35: 30 } } });
    await count('slow', { ago: 5, fields: { delivered: 4, deadLettered: 2, held: 1 } });
    await count('healthy', { ago: 3, fields: { delivered: 40, latency: { 35: 40 } } });
  });
  after(() => world?.destroy());

  async function create(name: string, facts: object): Promise<void> {
    const url = `https://${name}.example.com/in`;
    const body = { url, eventTypes: ['billing.plan_changed'], ...facts };
    ids[name] = (await admin.request<{ id: string }>('/webhooks', { body })).body.id;
  }

  async function count(name: string, { ago, fields }: { ago: number; fields: object }): Promise<void> {
    const hour = new Date(hourOf(new Date()).getTime() - ago * HOUR_MS);
    const _id = statsId(ids[name] as string, hour);
    await world.database.collections.endpointStats.insertOne({ _id, hour, version: 1, ...fields });
  }

  const list = async (query: string) => (await admin.request<Page<ListedWebhook>>(`/webhooks?${query}`)).body;
  const names = async (query: string) =>
    (await list(query)).items.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));

  for (const [query, expected] of [
    ['state=healthy', ['healthy']],
    ['state=slow', ['slow']],
    ['state=failing', ['failing']],
    ['state=held', ['failures']],
    ['state=disabled_by_operator', ['operator']],
    ['state=slow,disabled_by_failures', ['slow', 'failures']],
    ['text=takes%20its%20time', ['slow']],
    ['text=billing.*', ['failures']],
    ['text=failing.example', ['failing']],
    ['metadata=customer:acme', ['healthy']],
    ['metadata=customer:acme:2', ['failing']],
    ['metadata=customer:acme&state=slow', []],
  ] as const)
    it(`returns ${expected.join(' and ') || 'nothing'} for ${query}`, async () => {
      expect(await names(query)).to.deep.equal(expected);
    });

  it('returns states, latency and the counts of 24 hours on request', async () => {
    const { items } = await list('state=slow&health=true');
    const health = items[0]?.health;
    expect(health?.states).to.deep.equal(['slow']);
    expect(health?.latencyMs?.p95).to.be.within(2_800, 3_300);
    expect(health?.hours).to.have.length(24);
    expect(health?.hours.at(-1)).to.include({ delivered: 30, failed: 0 });
    expect(health?.hours.at(-6)).to.include({ delivered: 4, failed: 2 });
    expect((await list('state=slow')).items[0]).to.not.have.property('health');
  });

  for (const [query, commands] of [
    ['state=slow', 0],
    ['state=healthy,failing', 0],
    ['state=held', 2],
    ['state=disabled_by_operator,disabled_by_failures', 1],
  ] as const)
    it(`counts what is held with ${commands} commands for ${query}`, async () => {
      // No count is cached any more.
      world.clock.advance(60_000);
      const operations = await profiled(world.database.db, () => list(query));
      const counts = operations.filter(({ ns }) => ns.endsWith('.deliveries'));
      expect(counts.map(({ command }) => command)).to.have.length(commands);
    });

  it('returns the same health for one endpoint on request', async () => {
    const { items } = await list('state=slow&health=true');
    const one = await admin.request<ListedWebhook>(`/webhooks/${ids.slow}?health=true`);
    expect(one.body).to.deep.equal(items[0]);
    expect((await admin.request(`/webhooks/${ids.slow}`)).body).to.not.have.property('health');
    const held = await admin.request<ListedWebhook>(`/webhooks/${ids.failures}?health=true`);
    expect(held.body.health?.states).to.deep.equal(['disabled_by_failures', 'held']);
  });

  it('returns since when an endpoint fails, and the next test event that may enable it', async () => {
    const { endpoints } = world.database.collections;
    const failingSince = new Date('2026-03-01T09:30:00.000Z');
    const healthWith = async (probeAt: Date | null) => {
      await endpoints.updateOne({ _id: ids.failures as string }, { $set: { failingSince, probeAt } });
      const { health } = (await list(`ids=${ids.failures}&health=true`)).items[0] as ListedWebhook;
      return { failingSince: health?.failingSince, nextProbeAt: health?.nextProbeAt };
    };
    const soon = new Date(world.clock.now().getTime() + 300_000);
    const since = failingSince.toISOString();
    expect(await healthWith(soon)).to.deep.equal({ failingSince: since, nextProbeAt: soon.toISOString() });
    expect(await healthWith(failingSince)).to.deep.equal({ failingSince: since, nextProbeAt: null });
    expect(await healthWith(null)).to.deep.equal({ failingSince: since, nextProbeAt: null });
  });

  it('continues behind a page, with the same conditions', async () => {
    const { items, nextCursor } = await list('metadata=customer:acme&limit=1');
    expect(items.map(({ id }) => id)).to.deep.equal([ids.healthy]);
    expect(nextCursor).to.equal(null);
    const first = await list('state=failing,slow&limit=1');
    const rest = await list(`state=failing,slow&limit=1&cursor=${first.nextCursor}`);
    expect([first, rest].flatMap((page) => page.items.map(({ id }) => id))).to.deep.equal([
      ids.slow,
      ids.failing,
    ]);
    expect(rest.nextCursor).to.equal(null);
  });

  it('shows a limited portal link only its endpoints, with their counts', async () => {
    const { body } = await admin.request<{ token: string }>('/portal-links', {
      body: { endpointIds: [ids.slow, ids.operator] },
    });
    const response = await fetch(`http://127.0.0.1:${world.api.port}/workspaces/acme/webhooks?health=true`, {
      headers: { authorization: `Bearer ${body.token}` },
    });
    const { items } = (await response.json()) as Page<ListedWebhook>;
    expect(items.map(({ id, health }) => [id, health?.states])).to.deep.equal([
      [ids.slow, ['slow']],
      [ids.operator, ['disabled_by_operator']],
    ]);
  });

  it('returns the named endpoints of the workspace, and of a limited portal link only its own', async () => {
    const asked = [ids.slow, 'whe_unknown', ids.operator].join(',');
    expect(await names(`ids=${asked}`)).to.deep.equal(['slow', 'operator']);
    expect(await names(`ids=${asked}&state=slow`)).to.deep.equal(['slow']);
    const { body } = await admin.request<{ token: string }>('/portal-links', {
      body: { endpointIds: [ids.slow] },
    });
    const url = `http://127.0.0.1:${world.api.port}/workspaces/acme/webhooks?ids=${asked}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${body.token}` } });
    const { items } = (await response.json()) as Page<ListedWebhook>;
    expect(items.map(({ id }) => id)).to.deep.equal([ids.slow]);
  });

  for (const [query, path] of [
    ['state=lost', 'state'],
    [`ids=${Array.from({ length: 201 }, () => 'whe_x').join(',')}`, 'ids'],
    ['metadata=acme', 'metadata'],
    ['health=maybe', 'health'],
  ])
    it(`refuses ${query?.slice(0, 40)}`, async () => {
      const { status, body } = await admin.requestRefused(`/webhooks?${query}`);
      expect([status, body.tag, body.errors?.[0]?.path]).to.deep.equal([400, 'InvalidRequest', path]);
    });
});
