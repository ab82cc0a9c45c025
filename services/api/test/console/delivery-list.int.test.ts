import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Locator, Route } from 'playwright-core';
import { hasBrowser } from '../browser.js';
import { deliveryRow } from '../delivery-row.js';
import { closeDialog } from './close-dialog.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const ROWS = 450;
/** Rows of a page. */
const PAGE = 200;
/** In pixels, as it stands in the style sheet. */
const ROW_HEIGHT = 44;
/** A request that follows an event has been sent by then. */
const SETTLE_MS = 500;
/** A request for a page of the list. */
const LIST = /\/webhooks\/deliveries\?/;
/** Is not tried again without a person. */
const FORBIDDEN = {
  status: 403,
  contentType: 'application/problem+json',
  body: JSON.stringify({ tag: 'Forbidden', status: 403, detail: 'Not permitted.', traceId: 'a'.repeat(32) }),
};
/** The number of lines that the zone of the first time takes. */
const OFFSET_LINES = `(() => {
  const texts = document.createTreeWalker(document.querySelector('tbody time'), NodeFilter.SHOW_TEXT);
  let zone;
  while (texts.nextNode()) zone = texts.currentNode;
  const range = document.createRange();
  range.setStart(zone, zone.data.lastIndexOf('GMT'));
  range.setEnd(zone, zone.data.length);
  return new Set([...range.getClientRects()].map(({ top }) => top)).size;
})()`;

const scrollToEnd = (table: Locator) =>
  table.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));

describe('console: list of deliveries', () => {
  let world: ConsoleWorld;
  const endpointId = 'whe_01m822hatbyhse9rgj9j9e5pkf';
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    const rows = Array.from({ length: ROWS }, (_, n) =>
      deliveryRow({
        workspaceId: world.workspace.id,
        endpointId,
        status: n === 7 ? 'dead_lettered' : 'delivered',
        createdAt: new Date(Date.now() - n * 1_000),
        payload: { eventId: `evt_01m822hatbyhse9rgj9j${String(n).padStart(6, '0')}` },
      }),
    );
    await world.database.collections.deliveries.insertMany(rows.map(toDeliveryDocument));
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  it('renders only the rows in view and loads more while it is scrolled', async () => {
    const { page } = world;
    await world.openAs(['read'], '/deliveries');
    const table = page.getByRole('region', { name: 'Deliveries', exact: true });
    await table.getByText('Delivered').first().waitFor();
    expect(await table.locator('tbody tr').count()).to.be.below(60);
    // Regression: the rows that were loaded counted as all rows.
    await page.locator('table[aria-rowcount="-1"]').waitFor();
    await scrollToEnd(table);
    await expectAccessible(page);
    await eventually(async () => {
      await scrollToEnd(table);
      expect(await page.locator('table').getAttribute('aria-rowcount')).to.equal(`${ROWS + 1}`);
    });
  });

  it('reads no page again that was loaded before, and returns to the place in it', async () => {
    const { page } = world;
    const link = page.getByRole('link', { name: 'Deliveries', exact: true });
    await world.openAs(['read']);
    await link.click();
    const table = page.getByRole('region', { name: 'Deliveries', exact: true });
    await table.getByText('Delivered').first().waitFor();
    await scrollToEnd(table);
    await eventually(async () =>
      expect(await table.evaluate((element) => element.scrollHeight)).to.be.above(2 * PAGE * ROW_HEIGHT),
    );
    const place = 100;
    await table.evaluate((element, top) => element.scrollTo({ top }), place * ROW_HEIGHT);
    const row = table.locator(`tr[aria-rowindex="${place + 2}"]`);
    await row.waitFor();
    const lists: string[] = [];
    page.on('request', (request) => {
      if (LIST.test(request.url())) lists.push(request.url());
    });
    // What was loaded is out of date.
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000; }');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await page.waitForTimeout(SETTLE_MS);
    await row.getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Delivery', exact: true }).waitFor();
    expect(lists).to.deep.equal([]);
    const answer = page.waitForResponse((response) => LIST.test(response.url()));
    await page.goBack();
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
    await answer;
    await row.waitFor();
    expect(await table.evaluate((element) => element.scrollTop)).to.be.closeTo(
      place * ROW_HEIGHT,
      ROW_HEIGHT,
    );
    expect(lists).to.have.length(1);
    // A new visit begins at the start.
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await link.click();
    await table.locator('tr[aria-rowindex="2"]').waitFor();
  });

  it('filters by status and keeps the filter in the address', async () => {
    const { page } = world;
    await world.openAs(['read'], '/deliveries');
    await page.getByLabel('Status', { exact: true }).selectOption('dead_lettered');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('table[aria-rowcount="2"]').waitFor();
    expect(page.url()).to.include('status=dead_lettered');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('table[aria-rowcount="-1"]').waitFor();
    // Regression: the delivery whose id a receiver has logged was found by its address alone.
    const row = page.locator('tr[aria-rowindex="2"]').getByRole('link').first();
    const deliveryId = (await row.getAttribute('href'))?.split('/').at(-1) ?? '';
    await page.getByText('More filters').click();
    await page.getByLabel('Event or delivery id').fill(` ${deliveryId}`);
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('heading', { name: 'Delivery', exact: true }).waitFor();
    expect(page.url()).to.match(new RegExp(`#/deliveries/${deliveryId}$`));
  });

  it('clears what was typed and not applied', async () => {
    const { page } = world;
    await world.openAs(['read'], '/deliveries');
    const clear = page.getByRole('button', { name: 'Clear filters' });
    const expectCleared = async (labels: readonly string[], values: readonly string[]) => {
      const fields = labels.map((label) => page.getByLabel(label, { exact: true }));
      for (const [index, field] of fields.entries()) await field.fill(values[index] ?? '');
      await clear.click();
      for (const field of fields) await eventually(async () => expect(await field.inputValue()).to.equal(''));
    };
    await page.getByText('More filters').click();
    await page.getByLabel('Status', { exact: true }).selectOption('delivered');
    await expectCleared(
      ['Event type', 'Trace id', 'Created after'],
      ['invoice.paid', 'abc', '2026-11-27T10:00'],
    );
    expect(await page.getByLabel('Status', { exact: true }).inputValue()).to.equal('');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('table[aria-rowcount="-1"]').waitFor();
    expect(page.url()).to.not.include('?');
    await world.openAs(['admin'], '/audit-log');
    await page.getByText('More filters').click();
    await expectCleared(['Actor id', 'After'], ['tok_1', '2026-11-27T10:00']);
  });

  it('drops a selection when the filters change', async () => {
    const { page } = world;
    await world.openAs(['read', 'write'], '/deliveries');
    const status = page.getByLabel('Status', { exact: true });
    const apply = page.getByRole('button', { name: 'Apply' });
    await page.getByRole('checkbox').first().check();
    await page.getByRole('button', { name: /^Replay 1 selected/ }).waitFor();
    await status.selectOption('delivered');
    await apply.click();
    await page.locator('table[aria-rowcount="-1"]').waitFor();
    await page.getByRole('button', { name: /^Replay 1 selected/ }).waitFor({ state: 'detached' });
    await status.selectOption('');
    await apply.click();
    await page.getByRole('checkbox').first().waitFor();
    expect(await page.getByRole('checkbox', { checked: true }).count()).to.equal(0);
  });

  it('finds exhausted deliveries by the reason of their last attempt, and what is held by its own', async () => {
    const { page } = world;
    const last = {
      ordinal: 7,
      httpStatus: null,
      responseBody: null,
      attemptedAt: new Date(),
      durationMs: 12,
    };
    await world.database.collections.deliveries.updateOne(
      { workspaceId: world.workspace.id, status: 'dead_lettered' },
      { $set: { failureReason: 'retries_exhausted', lastAttempt: { ...last, failureReason: 'tls' } } },
    );
    await world.openAs(['read', 'write'], '/deliveries');
    const apply = page.getByRole('button', { name: 'Apply' });
    await page.getByLabel('Reason').selectOption('tls');
    await apply.click();
    await page.locator('table[aria-rowcount="2"]').waitFor();
    expect(page.url()).to.include('lastFailureReason=tls');
    await page.getByRole('link', { name: 'Replay this set' }).click();
    expect(await page.getByLabel('Reason').inputValue()).to.equal('tls');
    await page.getByRole('button', { name: 'Count the deliveries' }).click();
    await page.getByText('1 delivery matches').waitFor();
    await page.getByRole('link', { name: 'Show all matches' }).click();
    await page.locator('table[aria-rowcount="2"]').waitFor();
    await page.getByLabel('Reason').selectOption('endpoint_disabled');
    await apply.click();
    await page.getByText('No deliveries match.').waitFor();
    expect(page.url()).to.include('failureReason=endpoint_disabled').and.not.include('lastFailureReason');
  });

  it('shows that a search is in progress, and that what was not searched yet may match', async () => {
    const { page } = world;
    const pattern = '**/webhooks/deliveries?*';
    const nothingSoFar = { items: [], nextCursor: 'x' };
    const held = Promise.withResolvers<Route>();
    await page.route(pattern, (route) =>
      route.request().url().includes('cursor=') ? held.resolve(route) : route.fulfill({ json: nothingSoFar }),
    );
    await world.openAs(['read'], '/deliveries?eventType=rare');
    const status = page.getByRole('status');
    await status.getByText('Nothing found so far.').waitFor();
    await expectAccessible(page);
    const more = page.getByRole('button', { name: 'Load more' });
    await more.click();
    await status.getByText('Searching…').waitFor();
    expect(await more.isDisabled()).to.equal(true);
    await expectAccessible(page);
    await (await held.promise).fulfill({ json: nothingSoFar });
    await status.getByText('Nothing found so far.').waitFor();
    expect(await more.isDisabled()).to.equal(false);
    await page.unroute(pattern);
  });

  it('loads no further page by itself after one without rows', async () => {
    const { page } = world;
    const pattern = '**/webhooks/deliveries?*';
    const cursors: (string | null)[] = [];
    await page.route(pattern, async (route) => {
      const url = new URL(route.request().url());
      const cursor = url.searchParams.get('cursor');
      cursors.push(cursor);
      if (cursor !== null) return route.fulfill({ json: { items: [], nextCursor: `${cursor}x` } });
      url.searchParams.set('limit', '1');
      const response = await route.fetch({ url: url.href });
      return route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'x' } });
    });
    await world.openAs(['read'], '/deliveries?status=delivered');
    await page.locator('table[aria-rowcount="-1"]').waitFor();
    const more = page.getByRole('button', { name: 'Load more', disabled: false });
    await eventually(() => expect(cursors).to.deep.equal([null, 'x']));
    await more.click();
    await eventually(() => expect(cursors).to.include('xx'));
    await more.waitFor();
    // What follows the answer has happened.
    await expectAccessible(page);
    expect(cursors).to.deep.equal([null, 'x', 'xx']);
    await page.unroute(pattern);
  });

  // Regression: each page that was loaded before was read again.
  it('reads no page again after a selection was replayed, if more than one was loaded', async () => {
    const { page } = world;
    const lists: string[] = [];
    await world.openAs(['write'], '/deliveries');
    const table = page.getByRole('region', { name: 'Deliveries', exact: true });
    const selection = page.getByRole('checkbox', { name: /^Select / }).first();
    await selection.waitFor();
    await scrollToEnd(table);
    await eventually(async () =>
      expect(await table.evaluate((element) => element.scrollHeight)).to.be.above(2 * PAGE * ROW_HEIGHT),
    );
    await table.evaluate((element) => element.scrollTo({ top: 0 }));
    await selection.check();
    page.on('request', (request) => {
      if (LIST.test(request.url())) lists.push(request.url());
    });
    await page.getByRole('button', { name: 'Replay 1 selected' }).click();
    await page.getByRole('button', { name: 'Replay 1 delivery' }).click();
    await page.getByText('All selected deliveries have been processed.').waitFor();
    await page.waitForTimeout(SETTLE_MS);
    expect(lists).to.deep.equal([]);
    await closeDialog(page);
  });

  // Regression: each page that was loaded before was read again.
  it('requests only the page that has failed, once it is tried again', async () => {
    const { page } = world;
    const cursors: (string | null)[] = [];
    await page.route(LIST, (route) => {
      cursors.push(new URL(route.request().url()).searchParams.get('cursor'));
      return cursors.length === 3 ? route.fulfill(FORBIDDEN) : route.continue();
    });
    await world.openAs(['read'], '/deliveries');
    const table = page.getByRole('region', { name: 'Deliveries', exact: true });
    await eventually(async () => {
      await scrollToEnd(table);
      expect(await page.getByRole('alert').count()).to.equal(1);
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator(`table[aria-rowcount="${ROWS + 1}"]`).waitFor();
    expect(cursors).to.have.length(4);
    expect(cursors[3]).to.equal(cursors[2]);
    await page.unroute(LIST);
  });

  it('loads the list again when the same filters are applied', async () => {
    const { page } = world;
    const row = (eventId: string) =>
      toDeliveryDocument(
        deliveryRow({
          workspaceId: world.workspace.id,
          endpointId,
          status: 'failed_permanent',
          payload: { eventId },
        }),
      );
    await world.openAs(['write'], '/deliveries?status=failed_permanent');
    await page.getByText('No deliveries match.').waitFor();
    const { deliveries } = world.database.collections;
    const { insertedId } = await deliveries.insertOne(row('evt_01m822hatbyhse9rgj9j999999'));
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('table[aria-rowcount="2"]').waitFor();
    // Regression: what was selected before stayed so, whether or not the list still had it.
    await page.getByRole('checkbox', { name: /^Select / }).check();
    const replay = page.getByRole('button', { name: 'Replay 1 selected' });
    await replay.waitFor();
    await deliveries.deleteOne({ _id: insertedId });
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No deliveries match.').waitFor();
    await replay.waitFor({ state: 'detached' });
  });

  it('reports an invalid filter of an address, and stays usable', async () => {
    const { page } = world;
    await world.openAs(['read'], '/deliveries?status=lost');
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('table[aria-rowcount="-1"]').waitFor();
  });

  it('takes times in the zone in which they are shown, and shows them in UTC on request', async () => {
    const { page } = world;
    await world.openAs(['read'], '/deliveries');
    await page.getByRole('cell', { name: / GMT/ }).first().waitFor();
    await page.getByLabel('Times').selectOption('utc');
    await page
      .getByRole('cell', { name: /, \d\d:\d\d:\d\d UTC$/ })
      .first()
      .waitFor();
    await page.getByText('More filters').click();
    const field = page.getByLabel('Created after');
    expect(await field.getAttribute('type')).to.equal('datetime-local');
    await page.getByRole('group').getByText('UTC', { exact: true }).first().waitFor();
    await field.fill('2026-11-27T10:00');
    await page.getByRole('button', { name: 'Apply' }).click();
    await eventually(() =>
      expect(decodeURIComponent(page.url())).to.include('createdAfter=2026-11-27T10:00:00.000Z'),
    );
    await expectAccessible(page);
    await page.getByLabel('Times').selectOption('local');
    await page.getByRole('button', { name: 'Clear filters' }).click();
  });

  // Regression: filters that were applied or cleared replaced those before, so the step back left the list.
  it('returns to the filters before by the step back', async () => {
    const { page } = world;
    await world.openAs(['admin']);
    for (const [title, label] of [
      ['Deliveries', 'Event type'],
      ['Audit log', 'Target id'],
    ] as const) {
      await page.getByRole('link', { name: title, exact: true }).click();
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      const field = page.getByLabel(label);
      const expectFilter = (value: string) =>
        eventually(async () => {
          expect(await field.inputValue()).to.equal(value);
          expect(page.url().includes('first_filter'), page.url()).to.equal(value === 'first_filter');
        });
      await field.fill('first_filter');
      await page.getByRole('button', { name: 'Apply' }).click();
      await expectFilter('first_filter');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await expectFilter('');
      await page.goBack();
      await expectFilter('first_filter');
      await page.goBack();
      await expectFilter('');
      await page.goForward();
      await expectFilter('first_filter');
    }
  });

  // Regression: a line ended behind the sign of the offset.
  it('keeps the offset of a time in one line', async () => {
    const { page } = world;
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'America/St_Johns' });
    await page.setViewportSize({ width: 390, height: 800 });
    await world.openAs(['read'], '/deliveries');
    const time = page.getByRole('region', { name: 'Deliveries', exact: true }).locator('time').first();
    await time.getByText(/GMT-\d:30$/).waitFor();
    expect(await page.evaluate(OFFSET_LINES)).to.equal(1);
    await session.detach();
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('shows one sentence about a time that is none', async () => {
    const { page } = world;
    await world.openAs(['read'], '/deliveries?createdAfter=2026-11-27');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect((await alert.textContent())?.match(/createdAfter/g)).to.have.length(1);
  });
});
