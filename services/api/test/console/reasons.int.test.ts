import { expect } from 'chai';
import { newId } from '../api-world.js';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { cutTables } from './cut-tables.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const URL = 'https://hooks.example.com/in';

/** What the pages say about deliveries that were not accepted. */
describe('console: reasons of failures', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    endpointId = await createEndpoint(world, { url: URL });
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  const change = (id: string, facts: object) =>
    world.database.collections.deliveries.updateOne({ _id: id as never }, { $set: facts });

  /** Stands for the stream: messages as they come from it. */
  const streamed = (messages: readonly object[]) =>
    messages.map((data, n) => `id: ${n}\nevent: delivery.ended\ndata: ${JSON.stringify(data)}\n\n`).join('');

  it('call a held delivery held wherever it is shown', async () => {
    const { page } = world;
    const occurredAt = new Date().toISOString();
    const payload = { eventId: newId('event'), occurredAt };
    const { id } = await storedDelivery(world, { endpointId, status: 'failed_permanent', payload });
    await change(id, { failureReason: 'endpoint_disabled' });
    const data = { deliveryId: id, endpointId, eventId: payload.eventId, eventType: 'billing.plan_changed' };
    const outcome = { status: 'failed_permanent', attempts: 0, httpStatus: null, durationMs: null };
    const body = streamed([{ ...data, ...outcome, failureReason: 'endpoint_disabled', at: occurredAt }]);
    await page.route('**/stream*', (route) =>
      route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body }),
    );
    await world.openAs(['read']);
    const live = page.getByRole('region', { name: 'Live', exact: true }).getByRole('listitem').first();
    await live.getByText('Held', { exact: true }).waitFor();
    await live.getByRole('link', { name: URL }).waitFor();
    await live.getByText('The endpoint was disabled.').waitFor();
    await page.unroute('**/stream*');
    await expectAccessible(page);
  });

  /** A delivery of which seven attempts failed alike. */
  async function exhausted(failureReason: string, httpStatus: number | null) {
    const { id } = await storedDelivery(world, { endpointId, status: 'dead_lettered' });
    const last = { httpStatus, failureReason, responseBody: null, attemptedAt: new Date(), durationMs: 12 };
    const records = Array.from({ length: 7 }, (_, n) => ({ ...last, ordinal: n + 1, status: 'failed' }));
    const end = { ...last, httpStatus: null, durationMs: null, failureReason: 'retries_exhausted' };
    const unsent = { requestHeaders: null, timings: null, remoteAddress: null, streak: null };
    const all = [...records, { ...end, ordinal: 8, status: 'dead_lettered' }];
    await change(id, {
      records: all.map((record) => ({ ...unsent, ...record })),
      attempts: 7,
      lastAttempt: { ...last, ordinal: 7 },
    });
    return id;
  }

  it('do not number the end of a delivery, and name what the last attempt failed with', async () => {
    const { page } = world;
    await world.openAs(['read'], `/deliveries/${await exhausted('dns', null)}`);
    const attempts = page.getByRole('region', { name: 'Attempts' });
    await attempts.getByText('End of the delivery').waitFor();
    await attempts.getByText('Attempt 7').waitFor();
    expect(await attempts.getByText('Attempt 8').count()).to.equal(0);
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText(/^All retries failed\. Last: The name of the receiver/).waitFor();
    await expectAccessible(page);
  });

  it('name the next step by the status of the response', async () => {
    const { page } = world;
    const id = await exhausted('http_status', 308);
    await change(id, { status: 'failed_permanent', failureReason: 'http_status' });
    await world.openAs(['read'], `/deliveries/${id}`);
    const summary = page.getByRole('region', { name: 'Summary' });
    await summary.getByText('a redirect, which is not followed. Register the final URL.').waitFor();
  });

  it('offer a command that shows why there is no TLS connection', async () => {
    const { page } = world;
    await world.openAs(['read'], `/deliveries/${await exhausted('tls', null)}`);
    await page.getByText('or the port does not use TLS').first().waitFor();
    await page.locator('summary', { hasText: 'Check the TLS connection' }).first().click();
    await page
      .getByText("openssl s_client -connect 'hooks.example.com:443' -servername 'hooks.example.com'")
      .first()
      .waitFor();
    await expectAccessible(page);
  });

  it('are readable in full where a table has them, and no table is wider than its page', async () => {
    const { page } = world;
    const admin = await world.as(['admin']);
    const eventId = newId('event');
    const payload = { eventId, occurredAt: new Date().toISOString() };
    for (let n = 0; n < 12; n++) {
      const url = `https://a-receiver-with-a-long-name-${n}.customer.example.com/webhooks/postrider/incoming`;
      const eventTypes = [n % 2 === 0 ? 'billing.plan_changed' : 'workspace_member.role_changed'];
      await admin.request('/webhooks', { body: { url, eventTypes } });
    }
    const { id } = await storedDelivery(world, { endpointId, status: 'dead_lettered', payload });
    const lastAttempt = { ordinal: 7, httpStatus: null, failureReason: 'connection_refused' };
    const at = { responseBody: null, attemptedAt: new Date(), durationMs: 3 };
    const type = { eventType: 'workspace_member.role_changed' };
    await change(id, { ...type, attempts: 7, lastAttempt: { ...lastAttempt, ...at } });
    const used = { lastUsedAt: new Date(), lastUsedAddress: '203.0.113.117', expiresAt: new Date(2e12) };
    const { apiTokens } = world.database.collections;
    await world.openAs(['admin'], '/tokens');
    await apiTokens.updateMany(
      { workspaceId: world.workspace.id, _id: { $ne: admin.tokenId } },
      { $set: { name: 'a token with a long name', createdBy: admin.tokenId, ...used } as object },
    );
    for (const address of ['/deliveries', '/tokens', '/audit-log']) {
      await world.openAs(['admin'], address);
      await page.getByRole('row').nth(1).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await cutTables(page), address).to.deep.equal([]);
    }
    await world.show(`/deliveries/${id}`);
    const event = page.getByRole('region', { name: 'The event at every endpoint' }).first();
    const cell = event.getByRole('cell', { name: 'With its current settings' }).first();
    await cell.waitFor();
    expect(await cutTables(page)).to.deep.equal([]);
    const isCut = await cell.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
    expect(isCut, 'the explanation').to.equal(false);
  });

  it('are shown where an endpoint needs attention, and notifications lead to what they are about', async () => {
    const { page } = world;
    const { endpoints, notifications } = world.database.collections;
    const failingSince = new Date('2026-03-01T09:30:00.000Z');
    await endpoints.updateOne(
      { _id: endpointId as never },
      { $set: { consecutiveFailures: 7, failingSince } },
    );
    const deliveryId = await exhausted('http_status', 503);
    await notifications.insertOne({
      _id: newId('notification'),
      workspaceId: world.workspace.id,
      kind: 'endpoint_stopped_receiving',
      message: 'The webhook endpoint at https://hooks.example.com stopped receiving.',
      endpointId: endpointId as never,
      data: { deliveryId, failingSince: failingSince.toISOString() },
      createdAt: new Date(),
    });
    await world.openAs(['admin']);
    const item = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first();
    await item.getByText(/^Failing since Mar 1, 2026, \d\d:30:00 GMT/).waitFor();
    await item
      .getByText(/HTTP 503\. All retries failed\. Last: The receiver had an internal error/)
      .waitFor();
    await expectAccessible(page);
    await world.show('/notifications');
    const notification = page.getByRole('listitem').filter({ hasText: 'stopped receiving' });
    await notification.getByRole('link', { name: URL }).waitFor();
    await notification.getByText('Failing since').waitFor();
    await expectAccessible(page);
    await notification.getByRole('link', { name: 'Open the delivery' }).click();
    await page.getByText(deliveryId).first().waitFor();
  });

  // Regression: no page said why, because all deliveries whose attempts had failed were held.
  it('are those of the last attempts where the endpoint was disabled before the retries were exhausted', async () => {
    const { page } = world;
    const url = 'https://disabled.example.com/in';
    const disabled = await createEndpoint(world, { url });
    const held = { endpointId: disabled, status: 'failed_permanent' } as const;
    const attempted = await storedDelivery(world, held);
    const unattempted = await storedDelivery(world, { ...held, createdAt: new Date(Date.now() + 1) });
    const since = new Date();
    const last = { ordinal: 5, httpStatus: 500, failureReason: 'http_status', responseBody: null };
    const lastAttempt = { ...last, attemptedAt: since, durationMs: 12 };
    await change(attempted.id, {
      failureReason: 'endpoint_disabled',
      heldSince: since,
      attempts: 5,
      lastAttempt,
    });
    await change(unattempted.id, { failureReason: 'endpoint_disabled', heldSince: since, attempts: 0 });
    await world.database.collections.endpoints.updateOne(
      { _id: disabled as never },
      {
        $set: {
          ...{ enabled: false, disabledReason: 'consecutive_failures', disabledAt: since },
          ...{ consecutiveFailures: 20, failingSince: since, holding: { since, rows: 2, missed: 0 } },
        },
      },
    );
    const cause = /HTTP 500\. The endpoint was disabled\. Last: The receiver had an internal error/;
    await world.openAs(['admin']);
    const attention = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    await attention.filter({ hasText: url }).getByText(cause).waitFor();
    await world.show(`/endpoints/${disabled}`);
    await page.getByRole('region', { name: 'Health' }).getByText(cause).waitFor();
    await page.getByRole('link', { name: 'See its response' }).click();
    const table = page.getByRole('region', { name: 'Deliveries', exact: true });
    await table.locator(`a[href$="/deliveries/${attempted.id}"]`).waitFor();
    expect(await table.locator(`a[href$="/deliveries/${unattempted.id}"]`).count()).to.equal(0);
    await expectAccessible(page);
  });
});
