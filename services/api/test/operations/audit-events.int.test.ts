import { expect } from 'chai';
import type { AuditEvent } from '../../src/contract/audit-event.js';
import type { Page } from '../../src/contract/page.js';
import { createAuditReads } from '../../src/mongo/audit-reads.js';
import type { BoundedRows, CreationOrder } from '../../src/ports/reads.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { type Endpoints, endpointsOf } from './endpoints-of.js';

describe('list_audit_events', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let other: ApiClient;
  let endpoints: Endpoints;
  const ids: string[] = [];
  before(async () => {
    world = await apiWorld({ TRUST_PROXY: '1' });
    admin = await world.as(['admin']);
    other = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
    for (let count = 0; count < 3; count += 1) {
      ids.push((await endpoints.create()).id);
      world.clock.advance(60_000);
    }
    const change = { method: 'PATCH', body: { description: 'new' } };
    await other.request(`/webhooks/${ids[0]}`, {
      ...change,
      headers: { 'x-forwarded-for': '2001:db8::7', 'user-agent': `tool/${'x'.repeat(500)}` },
    });
    await other.request(`/webhooks/${ids[0]}`, { method: 'DELETE' });
  });
  after(() => world?.destroy());

  const list = async (query: string) => (await admin.request<Page<AuditEvent>>(`/audit-events${query}`)).body;
  const actions = async (query: string) => (await list(query)).items.map(({ action }) => action);

  it('shows address, user agent and trace id of the request that caused a change', async () => {
    const { items } = await list('?action=webhook_endpoint.updated');
    const { address, userAgent, traceId } = items[0]!.source!;
    expect([address, userAgent?.length]).to.deep.equal(['2001:db8::7', 200]);
    expect(traceId).to.match(/^[0-9a-f]{32}$/);
  });

  it('shows null as the source of entries of earlier versions', async () => {
    const { auditEvents } = world.database.collections;
    await auditEvents.updateOne({ 'target.id': ids[1]! }, { $unset: { source: 1 } });
    const { items } = await list(`?targetId=${ids[1]}`);
    expect(items.map(({ source }) => source)).to.deep.equal([null]);
  });

  it('filters by one action or several', async () => {
    expect(await actions('?action=webhook_endpoint.created')).to.have.length(3);
    expect(await actions('?action=webhook_endpoint.updated,webhook_endpoint.deleted')).to.deep.equal([
      'webhook_endpoint.deleted',
      'webhook_endpoint.updated',
    ]);
    const { status, body } = await admin.requestRefused(
      '/audit-events?action=webhook_endpoint.updated,nonsense',
    );
    expect([status, body.errors?.[0]?.path]).to.deep.equal([400, 'action']);
  });

  it('filters by actor and target', async () => {
    expect(await actions(`?actorId=${other.tokenId}`)).to.have.length(2);
    expect(await actions(`?targetId=${ids[0]}&actorId=${admin.tokenId}`)).to.deep.equal([
      'webhook_endpoint.created',
    ]);
    expect(await actions('?targetId=missing')).to.deep.equal([]);
  });

  it('reads a bounded number of rows for a page with several filters, and continues from there', async () => {
    const facts = { targetId: ids[0]!, actorId: admin.tokenId, actions: null };
    const slice = { ...facts, createdAfter: null, createdBefore: null, limit: 10 };
    const reads = createAuditReads(world.database, 2);
    const found: string[] = [];
    let pages = 0;
    let after: CreationOrder | null = null;
    do {
      const page: BoundedRows<{ action: string }, CreationOrder> = await reads.list(world.workspace.id, {
        ...slice,
        after,
      });
      found.push(...page.rows.map(({ action }) => action));
      after = page.readTo;
      expect(after?.id ?? 'aud_', 'to distinguish entries of the same time').to.match(/^aud_/);
      pages += 1;
    } while (after !== null);
    // Three entries have this target, and the first has this actor.
    expect([found, pages]).to.deep.equal([['webhook_endpoint.created'], 2]);
  });

  it('refuses times that exclude each other', async () => {
    const query = '?createdAfter=2026-03-02T00:00:00Z&createdBefore=2026-03-01T00:00:00Z';
    const { status, body } = await admin.requestRefused(`/audit-events${query}`);
    expect([status, body.tag]).to.deep.equal([400, 'InvalidRequest']);
    expect(body.errors?.map(({ path }) => path)).to.deep.equal(['createdBefore']);
  });

  it('has each entry on one side of a time with a fraction of a millisecond', async () => {
    const all = (await list('?action=webhook_endpoint.created')).items;
    const time = all[1]?.createdAt.replace('Z', '001Z');
    const sideOf = async (bound: string) =>
      (await list(`?action=webhook_endpoint.created&${bound}=${time}`)).items.map(({ id }) => id);
    const ids = all.map(({ id }) => id);
    expect(await sideOf('createdAfter')).to.deep.equal(ids.slice(0, 1));
    expect(await sideOf('createdBefore')).to.deep.equal(ids.slice(1));
  });

  it('filters by time, exclusively, with pages', async () => {
    const { items } = await list('?action=webhook_endpoint.created');
    const [newest, middle, oldest] = items.map(({ createdAt }) => createdAt);
    const between = (await list(`?createdAfter=${oldest}&createdBefore=${newest}`)).items;
    expect(between.map(({ createdAt }) => createdAt)).to.deep.equal([middle]);
    const query = `?action=webhook_endpoint.created&createdBefore=${newest}&limit=1`;
    const first = await list(query);
    const second = await list(`${query}&cursor=${first.nextCursor}`);
    expect([first, second].flatMap((page) => page.items.map(({ createdAt }) => createdAt))).to.deep.equal([
      middle,
      oldest,
    ]);
    expect(second.nextCursor).to.equal(null);
  });
});
