import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { PAGES } from './console-pages.js';
import { type ConsoleWorld, consoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { cutTables } from './cut-tables.js';
import { type DemoData, insertDemoData } from './demo-data.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const ENDPOINTS = 1_000;
const MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
const RIGHT_TO_LEFT = 'שלום עולם 👩‍👩‍👧‍👦';
/** How many fields the next one covers in part. */
const OVERLAPPING_FIELDS = `(() => {
  const boxes = [...document.querySelectorAll('main form :is(input:not([type=checkbox]), select)')]
    .map((field) => field.getBoundingClientRect())
    .filter(({ width }) => width > 0);
  return boxes.filter(({ right, top, bottom }, index) => {
    const next = boxes[index + 1];
    return next !== undefined && next.top < bottom && top < next.bottom && next.left < right;
  }).length;
})()`;

/** The states that are easily forgotten. */
describe('console: states beside the usual one', () => {
  let world: ConsoleWorld;
  let demo: DemoData;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
  });
  after(() => world?.destroy());
  const inWorkspace = () => ({ workspaceId: world.workspace.id });
  afterEach(() => expect(world.problems).to.deep.equal([]));

  it('explains empty lists and offers the next step', async () => {
    const { page } = world;
    await world.openAs(['admin']);
    await page.getByText('None yet').waitFor();
    await page.getByText('Every enabled endpoint accepted its last delivery promptly.').waitFor();
    await page.getByRole('link', { name: 'Endpoints' }).click();
    await page.getByText('No endpoints yet.').waitFor();
    await page.getByRole('link', { name: 'Replays' }).click();
    await page.getByText('No replays yet.').waitFor();
    await expectAccessible(page);
  });

  it('says that it is loading, also before its script has arrived, and recovers from a lost connection', async () => {
    const { page } = world;
    await page.route('**/assets/index-*.js', (route) => route.abort('internetdisconnected'));
    await world.open();
    await page.getByText('Loading. If this message stays').waitFor();
    await page.unroute('**/assets/index-*.js');
    await world.openAs(['read'], '/deliveries');
    await page.getByRole('status').getByText('No deliveries match.').waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Event type').fill('billing.plan_changed');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('status').getByText('Loading…').waitFor();
    await page.getByText('The server did not respond.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No deliveries match.').waitFor();
  });

  it('follows outcomes again after an error, on request or after a pause', async () => {
    const { page } = world;
    const pattern = '**/stream*';
    const live = page.getByRole('region', { name: 'Live', exact: true });
    const refuse = () => page.route(pattern, (route) => route.fulfill({ status: 403, body: '' }));
    for (const names of [['Try again'], ['Pause', 'Resume']]) {
      await refuse();
      await world.openAs(['read']);
      await live.getByRole('alert').waitFor();
      expect(await live.getByText('Outcomes appear here as they happen.').count()).to.equal(0);
      await page.unroute(pattern);
      await page.route(pattern, () => {});
      for (const name of names) await live.getByRole('button', { name }).click();
      await live.getByText('Outcomes appear here as they happen.').waitFor();
      await eventually(async () => expect(await live.getByRole('alert').count()).to.equal(0));
      await page.unroute(pattern);
    }
  });

  it('resumes outcomes where it was before the first one, and shows where some may be missing', async () => {
    const { page } = world;
    const live = page.getByRole('region', { name: 'Live', exact: true });
    let resumedFrom: (string | undefined)[] = [];
    let text = ': keep-alive\nid: first\n\n';
    let isFull = true;
    await page.route('**/stream*', (route) => {
      if (isFull) return route.fulfill({ status: 429, headers: { 'retry-after': '60' }, body: '' });
      resumedFrom.push(route.request().headers()['last-event-id']);
      return route.fulfill({ contentType: 'text/event-stream', body: text });
    });
    await world.openAs(['read']);
    // Regression: it did not try again after a first failure, and showed old outcomes as live after later ones.
    await live.getByRole('status').getByText('Reconnecting…').waitFor();
    await expectAccessible(page);
    expect(await live.getByText('Outcomes appear here as they happen.').count()).to.equal(0);
    expect(await live.getByRole('alert').count()).to.equal(0);
    expect(await live.getByText('Last contact:').count()).to.equal(0);
    isFull = false;
    await eventually(() => expect(resumedFrom).to.include('first'));
    await live.getByText('Last contact:').waitFor();
    await live.getByRole('button', { name: 'Pause' }).click();
    await live.getByText('Paused.').waitFor();
    text = 'event: reset\ndata: {}\n\n: keep-alive\nid: second\n\n';
    resumedFrom = [];
    await live.getByRole('button', { name: 'Resume' }).click();
    await eventually(() => expect(resumedFrom).to.include('second'));
    expect(resumedFrom[0]).to.equal('first');
    await live.getByText('Outcomes may be missing here.').waitFor();
    expect(await live.getByRole('listitem').count()).to.equal(1);
    await page.unroute('**/stream*');
  });

  it('asks for another link when the token is revoked in mid-use', async () => {
    const { page } = world;
    await world.openAs(['read'], '/members');
    await page.getByText('No members yet.').waitFor();
    await world.database.collections.apiTokens.updateMany(inWorkspace(), { $set: { revokedAt: new Date() } });
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByText('This link is no longer valid.').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
  });

  it('shows markup, right-to-left text and 64 KiB of a payload as text that runs nowhere', async () => {
    const { page } = world;
    demo = await insertDemoData(world);
    const { failing } = demo;
    const payload = {
      note: MARKUP,
      [RIGHT_TO_LEFT]: RIGHT_TO_LEFT,
      link: 'javascript:alert(3)',
      reversed: 'invoice\u202efdp.exe',
      long: 'x'.repeat(64_000),
    };
    const { id } = await storedDelivery(world, { endpointId: failing, status: 'dead_lettered', payload });
    const { deliveries, apiTokens, endpoints } = world.database.collections;
    const sample = await deliveries.findOne({ ...inWorkspace(), records: { $exists: true, $ne: [] } });
    const records = (sample?.records ?? []).map((record) => ({
      ...record,
      responseBody: `${MARKUP}\u2066\u0007`,
    }));
    await deliveries.updateOne({ _id: id }, { $set: { records, attempts: records.length } });
    await endpoints.updateOne(
      { _id: failing },
      { $set: { description: `${MARKUP} ${RIGHT_TO_LEFT}`, url: 'javascript:alert(4)' } },
    );
    await world.openAs(['admin'], `/deliveries/${id}`);
    await page.locator('summary', { hasText: 'Response body' }).first().click();
    await page.locator('details').getByText(MARKUP).first().waitFor();
    await page.getByText(RIGHT_TO_LEFT).first().waitFor();
    await page.getByText('invoice\\u202efdp.exe').waitFor();
    await page.locator('details').getByText(`${MARKUP}\\u2066\\u0007`).first().waitFor();
    await expectNothingActive();
    await expectNoSidewaysScrolling();
    await apiTokens.updateMany(inWorkspace(), { $set: { name: MARKUP } });
    for (const address of ['/tokens', '/endpoints', `/endpoints/${failing}`]) {
      await world.show(address);
      await page.getByText(MARKUP).first().waitFor();
      await expectNothingActive();
    }
  });

  it('fits a phone and a wide screen on every page, in both themes', async () => {
    const { page } = world;
    await world.openAs(['admin']);
    for (const width of [320, 768, 1_201, 2_560]) {
      await page.setViewportSize({ width, height: 900 });
      for (const address of Object.values(PAGES)) {
        await world.show(address(demo));
        await eventually(async () => expect(await page.getByText('Loading…').count()).to.equal(0));
        await expectNoSidewaysScrolling();
        await eventually(async () =>
          expect(await cutTables(page), `tables of ${address(demo)} at ${width}`).to.deep.equal([]),
        );
      }
      await expectAccessible(page);
    }
    await page.setViewportSize({ width: 320, height: 900 });
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('heading', { name: 'Audit log' }).waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  // Regression: at 200 %, a table covered the whole height, so that only its own rows could be scrolled.
  it('leaves place beside each table to scroll the page at 200 % of 1280 by 720 px', async () => {
    const { page } = world;
    await world.openAs(['admin']);
    await page.setViewportSize({ width: 640, height: 360 });
    for (const address of Object.values(PAGES)) {
      await world.show(address(demo));
      await eventually(async () => expect(await page.getByText('Loading…').count()).to.equal(0));
      const heights = await page
        .locator('main section:has(> table)')
        .evaluateAll((tables) => tables.map(({ clientHeight }) => clientHeight));
      expect(Math.max(0, ...heights), `tables of ${address(demo)}`).to.be.at.most(0.8 * 360);
      await expectNoSidewaysScrolling();
      await eventually(async () =>
        expect(await cutTables(page), `tables of ${address(demo)}`).to.deep.equal([]),
      );
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('fits all filters at any width, times to the millisecond as well', async () => {
    const { page } = world;
    const time = 'createdAfter=2026-11-27T22:30:00.123Z';
    await world.openAs(['admin']);
    for (const width of [320, 360, 640, 768, 1_280, 1_920]) {
      await page.setViewportSize({ width, height: 900 });
      for (const address of [`/deliveries?${time}`, `/audit-log?${time}`, `/replays/new?${time}`]) {
        await world.show(address);
        await page.getByLabel(/^(Created after|After)$/).waitFor();
        await expectNoSidewaysScrolling();
        expect(await page.evaluate<number>(OVERLAPPING_FIELDS), `${address} at ${width}`).to.equal(0);
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  it('shows the actions of an endpoint in view, however long its URL is', async () => {
    const { page } = world;
    const url = `https://hooks.example.com/${'a'.repeat(1_900)}`;
    const endpointId = await createEndpoint(world, { url });
    await world.openAs(['admin'], `/endpoints/${endpointId}`);
    for (const width of [360, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      const deliveries = page.locator('main').getByRole('link', { name: 'Deliveries' });
      expect((await deliveries.boundingBox())?.y, `${width} px`).to.be.below(400);
    }
    await page.getByRole('definition').getByText(url).waitFor();
  });

  it('shows each row of a table as a card on a phone, with the titles of the columns', async () => {
    const { page } = world;
    await page.setViewportSize({ width: 390, height: 800 });
    await world.openAs(['read'], '/deliveries');
    const rows = page
      .getByRole('region', { name: 'Deliveries', exact: true })
      .locator('tbody tr[data-index]');
    await rows.nth(3).getByRole('link').first().waitFor();
    // The names of endpoints arrive later and make the cards higher.
    await eventually(async () => {
      const boxes = await rows.evaluateAll((all) =>
        all.slice(0, 2).map((row) => row.getBoundingClientRect()),
      );
      expect(boxes[0]?.height, 'the height of a card').to.be.above(100);
      expect(boxes[1]?.top).to.be.closeTo(boxes[0]?.bottom ?? 0, 1);
    });
    const titleOf = `getComputedStyle(document.querySelector('tr[data-index] td[data-title="Status"]'), '::before').content`;
    expect(await page.evaluate(titleOf)).to.include('Status');
    // The rows below are rendered when they come into view. On a busy machine the list is scrolled on before they are.
    await eventually(async () => {
      await page
        .getByRole('region', { name: 'Deliveries', exact: true })
        .evaluate((list) => list.scrollBy(0, 5_000));
      const last = await rows.last().getAttribute('aria-rowindex');
      expect(Number(last)).to.be.at.least(100);
    });
    expect(await rows.count()).to.be.below(60);
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.locator('table[data-growing]').waitFor();
  });

  // Regression: later values were read under the titles of others.
  it('has a cell for each column in a card, also where it is empty', async () => {
    const { page } = world;
    await page.setViewportSize({ width: 390, height: 800 });
    await world.openAs(['admin'], '/tokens');
    const rows = page.getByRole('table').getByRole('row');
    await rows.nth(1).waitFor();
    expect(await page.locator('tbody td:empty').count()).to.be.above(0);
    const titles = await rows.first().getByRole('columnheader').count();
    for (const row of await page.locator('tbody tr[data-index]').all()) {
      expect(await row.getAttribute('role')).to.equal('row');
      expect(await row.getByRole('cell').count()).to.equal(titles);
    }
    await expectAccessible(page);
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  it('keeps the place in a list, and the focus, when the width of the window changes', async () => {
    const { page } = world;
    await world.openAs(['read'], '/deliveries');
    const list = page.getByRole('region', { name: 'Deliveries', exact: true });
    const link = list.locator('tr[data-index="3"] a').first();
    await link.focus();
    const resize = async (width: number, table: string) => {
      await page.setViewportSize({ width, height: 900 });
      await list.locator(table).waitFor();
    };
    await resize(390, 'table:not([data-growing])');
    expect(await page.evaluate(`document.activeElement.closest('tr')?.dataset.index`)).to.equal('3');
    const firstInView = () =>
      page.evaluate<number>(`((list) => Number([...list.querySelectorAll('tr[data-index]')].find((row) =>
        row.getBoundingClientRect().bottom > list.getBoundingClientRect().top + 1)?.dataset.index))(
        document.querySelector('section[aria-label="Deliveries"]:has(> table)'))`);
    await resize(1_280, 'table[data-growing]');
    await eventually(async () => {
      await list.evaluate((shown) => shown.scrollTo(0, 44 * 60));
      expect(await firstInView()).to.be.within(58, 61);
    });
    // The heights of rows that were not shown yet are estimates.
    await resize(390, 'table:not([data-growing])');
    await eventually(async () => expect(await firstInView()).to.be.within(55, 65));
    await resize(1_280, 'table[data-growing]');
    await eventually(async () => expect(await firstInView()).to.be.within(55, 65));
  });

  it('lists and searches 1,000 endpoints', async () => {
    const { page } = world;
    const { endpoints } = world.database.collections;
    const sample = await endpoints.findOne({ ...inWorkspace(), deletedAt: null });
    if (sample === null) throw new Error('the demo data has no endpoint');
    const many = Array.from({ length: ENDPOINTS }, (_, n) => ({
      ...sample,
      _id: `${sample._id.slice(0, -4)}${String(n).padStart(4, '0')}`,
      url: `https://receiver-${n}.example.com/`,
    }));
    await endpoints.insertMany(many, { ordered: false }).catch(() => undefined);
    await world.openAs(['read'], '/endpoints');
    const table = page.getByRole('region', { name: 'Endpoints', exact: true });
    await table.waitFor();
    expect(await table.locator('tbody tr').count()).to.be.below(60);
    await page.getByLabel('Search').fill('receiver-7.example');
    await table.getByRole('link', { name: 'https://receiver-7.example.com/' }).waitFor();
  });

  /** What runs is found by `problems`, which has every dialog. */
  const expectNothingActive = async () => {
    const active = world.page.locator('a[href^="javascript:" i], main img, main script, main iframe');
    expect(await active.count(), world.page.url()).to.equal(0);
  };
  const expectNoSidewaysScrolling = async () => {
    const overflow = await world.page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    expect(overflow, world.page.url()).to.be.below(2);
  };
});

describe('console: limited requests', () => {
  let world: ConsoleWorld;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await consoleWorld({ RATE_LIMIT_REST_READ: '3' });
  });
  after(() => world?.destroy());

  it('says that there were too many requests, and keeps the page usable', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/members');
    for (const name of ['Endpoints', 'Members', 'API tokens', 'Audit log']) {
      await page.getByRole('link', { name }).click();
    }
    const alert = page.getByRole('alert').filter({ hasText: 'Too many requests.' }).first();
    await alert.getByText(/Try again in \d+ seconds\./).waitFor();
    // The title named another time.
    expect(await alert.textContent()).to.not.include('minute');
    await page.getByRole('button', { name: 'Try again' }).first().waitFor();
    expect(world.problems).to.deep.equal([]);
  });
});
