import { asId, deliveryIdOf } from '@postrider/shared/domain/id';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { Delivery } from '../../src/contract/delivery.js';
import type { EventExplanation } from '../../src/contract/event-explanation.js';
import type { Page } from '../../src/contract/page.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { deliveryRow } from '../delivery-row.js';
import { endpointsOf } from './endpoints-of.js';

const MIB = 1_024 * 1_024;
/** More than a page of 200, as large as events may be. */
const ROWS = 201;
const LARGE = 'x'.repeat(255 * 1_024);
/** 42 KB as stored, and 252 KB as JSON. */
const ESCAPED = '\u0001'.repeat(43_000);
const START = Date.parse('2026-03-01T00:00:00.000Z');
const INSERTED_AT_ONCE = 20;

describe('lists of large payloads', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  /** The endpoint and its deliveries, newest first, by the text of their payloads. */
  const stored: Record<string, { endpointId: string; ids: string[] }> = {};
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    for (const text of [LARGE, ESCAPED]) stored[text] = await store(text);
  });
  after(() => world?.destroy());

  async function store(text: string) {
    const { id: endpointId } = await endpointsOf(world, admin).create();
    const owner = { workspaceId: world.workspace.id, endpointId, status: 'delivered' } as const;
    const ids: string[] = [];
    while (ids.length < ROWS) {
      const size = Math.min(INSERTED_AT_ONCE, ROWS - ids.length);
      const rows = Array.from({ length: size }, (_, index) =>
        deliveryRow({
          ...owner,
          createdAt: new Date(START + (ids.length + index) * 1_000),
          payload: { text },
        }),
      );
      await world.database.collections.deliveries.insertMany(rows.map(toDeliveryDocument));
      ids.push(...rows.map(({ id }) => id));
    }
    return { endpointId, ids: ids.toReversed() };
  }

  const get = async (path: string, body?: object) => {
    const response = await fetch(`${admin.origin}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${admin.secret}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    expect(response.status).to.equal(200);
    return response.text();
  };
  const listed = (text: string) => ({ page: JSON.parse(text) as Page<Delivery>, bytes: text.length });
  type List = (query: Readonly<Record<string, string>>) => Promise<ReturnType<typeof listed>>;
  const rest: List = async (query) =>
    listed(await get(`/workspaces/acme/webhooks/deliveries?${new URLSearchParams(query)}`));
  const ofEndpoint: List = async ({ endpointId, ...query }) =>
    listed(await get(`/workspaces/acme/webhooks/${endpointId}/deliveries?${new URLSearchParams(query)}`));
  /** A result has a page twice: as JSON, and as text. */
  const mcp: List = async ({ limit, ...query }) => {
    const params = { name: 'list_deliveries', arguments: { ...query, limit: Number(limit) } };
    const text = await get('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    return { page: JSON.parse(text).result.structuredContent, bytes: text.length / 2 };
  };
  for (const [name, list, text, conditions] of [
    ['list_deliveries', rest, LARGE, {}],
    ['list_deliveries with a condition that no index has', rest, LARGE, { status: 'delivered' }],
    ['list_deliveries with text that JSON escapes', rest, ESCAPED, {}],
    ['list_webhook_deliveries', ofEndpoint, LARGE, {}],
    ['the tool list_deliveries', mcp, LARGE, {}],
  ] as const)
    it(`bounds the bytes of a page of ${name}, and lists all rows`, async () => {
      const { endpointId, ids } = stored[text]!;
      const found: string[] = [];
      let next: { cursor?: string } | null = {};
      while (next !== null) {
        const { page, bytes } = await list({ endpointId, limit: '200', ...conditions, ...next });
        expect(bytes).to.be.below(4.25 * MIB);
        expect(page.items).not.to.be.empty;
        expect(page.items.every(({ payload }) => payload.text === text)).to.equal(true);
        found.push(...page.items.map(({ deliveryId }) => deliveryId));
        next = page.nextCursor === null ? null : { cursor: page.nextCursor };
      }
      expect(found).to.deep.equal(ids);
    });

  it('explains an event without reading the payloads of its deliveries', async () => {
    const occurredAt = new Date();
    const eventId = newId('event', occurredAt);
    const owned = Object.values(stored).map(({ endpointId }) => ({
      ...deliveryRow({
        workspaceId: world.workspace.id,
        endpointId,
        status: 'delivered',
        payload: { eventId, occurredAt: occurredAt.toISOString(), text: LARGE },
      }),
      id: deliveryIdOf({ eventId, occurredAt }, asId('endpoint', endpointId)),
    }));
    await world.database.collections.deliveries.insertMany(owned.map(toDeliveryDocument));
    const explained: EventExplanation[] = [];
    const operations = await profiled(world.database.db, async () => {
      explained.push((await admin.request<EventExplanation>(`/events/${eventId}`)).body);
    });
    expect(explained[0]?.items.map(({ outcome }) => outcome)).to.deep.equal(['delivered', 'delivered']);
    const read = operations
      .filter(({ ns }) => ns.endsWith('.deliveries'))
      .reduce((sum, { responseLength = 0 }) => sum + responseLength, 0);
    // The oldest delivery has the payload that conditions are compared with.
    expect(read).to.be.below(1.5 * LARGE.length);
  });

  // Regression: a page of the tool could be larger than all answers of a workspace may be at once, and got 503 each time.
  it('bounds the bytes of a page whose responses are large, and lists all rows', async () => {
    const { id: endpointId } = await endpointsOf(world, admin).create();
    const responseBody = '\u0001'.repeat(2_048);
    const response = { ordinal: 1, httpStatus: 500, responseBody, attemptedAt: new Date(START) };
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      ...deliveryRow({
        workspaceId: world.workspace.id,
        endpointId,
        status: 'delivered',
        createdAt: new Date(START + index * 1_000),
      }),
      attempts: 1,
      lastAttempt: { ...response, failureReason: 'http_status' as const, durationMs: 1 },
      lastResponse: response,
    }));
    await world.database.collections.deliveries.insertMany(rows.map((row) => toDeliveryDocument(row)));
    const found: string[] = [];
    let next: { cursor?: string } | null = {};
    while (next !== null) {
      const { page, bytes } = await rest({ endpointId, limit: '200', ...next });
      expect(bytes).to.be.below(4.25 * MIB);
      found.push(...page.items.map(({ deliveryId }) => deliveryId));
      next = page.nextCursor === null ? null : { cursor: page.nextCursor };
    }
    expect(found).to.deep.equal(rows.map(({ id }) => id).toReversed());
  });
});
