import type { IdKind } from '@postrider/shared/domain/id';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { expect } from 'chai';
import type { Collection } from 'mongodb';
import type { Page } from '../src/contract/page.js';
import type { ApiClient } from './api-client.js';
import { type ApiWorld, apiWorld, newId } from './api-world.js';
import { deliveryRow } from './delivery-row.js';

/** The fields that every listed row has. */
interface Row {
  readonly _id: string;
  readonly workspaceId: string;
}

interface List {
  readonly path: string;
  readonly kind: IdKind;
  readonly rows: Collection<Row>;
  readonly order: 'newest first' | 'ascending by id';
}

const LISTS = [
  'notifications',
  'audit-events',
  'api-tokens',
  'invitations',
  'members',
  'webhooks',
  'deliveries',
] as const;
type ListName = (typeof LISTS)[number];

const START = Date.parse('2026-03-01T12:00:00.000Z');
const minute = (count: number) => new Date(START + count * 60_000);

describe('every list', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let stranger: ApiClient;
  let lists: Readonly<Record<ListName, List>>;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    stranger = await world.as(['admin'], { workspace: await world.addWorkspace('stranger') });
    lists = await fill();
  });
  after(() => world?.destroy());

  /** Creates one row in each list, the template for further ones. */
  async function fill(): Promise<Readonly<Record<ListName, List>>> {
    const { collections } = world.database;
    const workspaceId = world.workspace.id;
    const webhook = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };
    const endpointId = (await admin.request<{ id: string }>('/webhooks', { body: webhook })).body.id;
    await admin.request('/invitations', { body: { email: 'ada@example.com', role: 'member' } });
    const delivery = deliveryRow({ workspaceId, endpointId, status: 'delivered', createdAt: minute(0) });
    await collections.deliveries.insertOne(toDeliveryDocument(delivery));
    await collections.members.insertOne({
      _id: newId('member', minute(0)),
      workspaceId,
      email: 'bob@example.com',
      role: 'owner',
    });
    await collections.notifications.insertOne({
      _id: newId('notification', minute(0)),
      workspaceId,
      kind: 'endpoint_stopped_receiving',
      message: 'It stopped receiving.',
      endpointId,
      data: { deliveryId: delivery.id, failingSince: minute(0).toISOString() },
      createdAt: minute(0),
    });
    const list = (path: string, kind: IdKind, rows: unknown, order: List['order']): List => ({
      path,
      kind,
      rows: rows as Collection<Row>,
      order,
    });
    return {
      notifications: list('/notifications', 'notification', collections.notifications, 'newest first'),
      'audit-events': list('/audit-events', 'audit', collections.auditEvents, 'newest first'),
      'api-tokens': list('/api-tokens', 'token', collections.apiTokens, 'newest first'),
      invitations: list('/invitations', 'invitation', collections.invitations, 'newest first'),
      members: list('/members', 'member', collections.members, 'ascending by id'),
      webhooks: list('/webhooks', 'endpoint', collections.endpoints, 'ascending by id'),
      deliveries: list(
        `/webhooks/${endpointId}/deliveries`,
        'delivery',
        collections.deliveries,
        'newest first',
      ),
    };
  }

  /** Adds a row with this creation time. */
  async function add({ kind, rows }: List, at: Date): Promise<string> {
    const { _id: _, ...like } = (await rows.findOne({ workspaceId: world.workspace.id })) as Row;
    const _id = newId(kind, at);
    const unique = {
      ...('createdAt' in like && { createdAt: at }),
      ...('hash' in like && { hash: _id }),
      ...('email' in like && { email: `${_id}@example.com` }),
    };
    await rows.insertOne({ ...like, ...unique, _id });
    return _id;
  }

  async function page({ path }: List, { limit, cursor }: { limit: number; cursor?: string | null }) {
    const query = cursor == null ? '' : `&cursor=${cursor}`;
    const { body } = await admin.request<Page<{ id?: string; deliveryId?: string }>>(
      `${path}?limit=${limit}${query}`,
    );
    return { ids: body.items.map(({ id, deliveryId }) => `${id ?? deliveryId}`), cursor: body.nextCursor };
  }

  async function rest(list: List, cursor: string | null): Promise<string[]> {
    if (cursor === null) return [];
    const next = await page(list, { limit: 2, cursor });
    return [...next.ids, ...(await rest(list, next.cursor))];
  }

  /** The current ids in the order of the list. */
  async function present({ rows, order }: List): Promise<string[]> {
    const all = await rows.find({ workspaceId: world.workspace.id }, { projection: { _id: 1 } }).toArray();
    const ids = all.map(({ _id }) => _id).sort();
    return order === 'newest first' ? ids.reverse() : ids;
  }

  for (const name of LISTS) {
    it(`of ${name} continues strictly after the last page despite concurrent inserts and deletions`, async () => {
      const list = lists[name];
      for (let count = 1; count <= 8; count += 1) await add(list, minute(10 * count));
      const before = await present(list);
      const first = await page(list, { limit: 3 });
      expect(first.ids).to.deep.equal(before.slice(0, 3));
      // The row of the cursor and one of the next page.
      await list.rows.deleteMany({ _id: { $in: [before[2]!, before[4]!] } });
      for (const at of [5, 15, 25, 35, 45, 55, 65, 75, 85]) await add(list, minute(at));
      const now = await present(list);
      const isPast = (id: string) => (list.order === 'newest first' ? id < before[2]! : id > before[2]!);
      const read = await rest(list, first.cursor);
      expect(read).to.deep.equal(now.filter(isPast));
      expect(read).to.include.members(before.slice(5));
    });

    it(`of ${name} rejects cursors of another list or workspace and invalid ones`, async () => {
      const list = lists[name];
      await add(list, minute(100));
      const others = LISTS.filter((other) => other !== name).map((other) => lists[other]);
      const foreign = await Promise.all(others.map((other) => page(other, { limit: 1 })));
      const cursors = [...foreign.map(({ cursor }) => `${cursor}`), 'nonsense', '', 'W10', 'bnVsbA'];
      for (const cursor of cursors) {
        expect(await page(list, { limit: 5, cursor }), cursor).to.deep.equal({ ids: [], cursor: null });
      }
      if (name === 'deliveries') return;
      const own = await page(list, { limit: 1 });
      const { body } = await stranger.request(`${list.path}?cursor=${own.cursor}`);
      expect(body).to.deep.equal({ items: [], nextCursor: null });
    });
  }
});
