import { sleep } from '@postrider/shared/runtime/sleep';
import { eventually } from '@postrider/shared/testing/eventually';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { closeDialog } from './close-dialog.js';
import { DIALOGS, PAGES } from './console-pages.js';
import { type ConsoleWorld, expectAccessible, openConsole } from './console-world.js';
import { cutTables } from './cut-tables.js';
import { type DemoData, insertDemoData } from './demo-data.js';
import { requestRounds } from './request-rounds.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const MAX_ROUNDS = 2;
/** The request for one endpoint. */
const ENDPOINT_OF_API = /\/webhooks\/whe_\w+$/;

describe('console: every page', () => {
  let world: ConsoleWorld;
  let demo: DemoData;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    world.catalogue.set([anEventType()]);
    demo = await insertDemoData(world);
    await world.openAs(['admin'], '/signature-check');
    // It must not be replaced before it is shown: the page before it is the first one to be measured.
    await world.page.getByRole('heading', { name: 'Signature check' }).waitFor();
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  const addressOf = (name: string) => PAGES[name]?.(demo) ?? '/';
  const show = (name: string) => world.show(addressOf(name));

  for (const name of Object.keys(PAGES))
    it(`shows ${name} after at most two rounds of requests, accessible in both themes`, async () => {
      const { page } = world;
      const rounds = await requestRounds(page, () => page.evaluate(`location.hash = '${addressOf(name)}'`));
      expect(rounds.length, JSON.stringify(rounds)).to.be.at.most(MAX_ROUNDS);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByRole('alert').count()).to.equal(0);
      expect(await cutTables(page), 'tables that scroll sideways').to.deep.equal([]);
      await expectAccessible(page);
    });

  for (const [name, button] of DIALOGS)
    it(`opens the dialog of "${button.source.replaceAll(/[\^$]/g, '').trim()}" at ${name}, accessible in both themes`, async () => {
      const { page } = world;
      await show(name);
      await page.getByRole('button', { name: button }).first().click();
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page);
      await closeDialog(page);
    });

  it('names slow, failing and disabled endpoints first, each with the next step', async () => {
    const { page } = world;
    await show('overview');
    const items = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    await items
      .filter({ hasText: 'Slow' })
      .getByText(/^One in twenty of its recent attempts took 1\./)
      .waitFor();
    expect(await items.allTextContents()).to.satisfy((texts: string[]) =>
      ['Disabled after failures', 'Failing', 'Slow'].every((state, index) => texts[index]?.startsWith(state)),
    );
    await items.filter({ hasText: 'Slow' }).getByRole('link', { name: 'See its deliveries' }).click();
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
    expect(page.url()).to.include(`endpointId=${demo.slow}`);
  });

  for (const [name, state, reason, next] of [
    ['healthy', 'Healthy', /^No attempt has failed since/, null],
    ['endpoint', 'Slow', /^One in twenty of its recent attempts took 1\./, 'See its deliveries'],
    ['failing', 'Failing', /^The last 12 attempts failed\. After 20/, 'See its responses'],
    ['disabled', 'Disabled after failures', /^20 attempts in a row failed\. Repair/, 'See its response'],
    ['disabled', 'Held', /^[1-9]\d* deliveries wait until the endpoint is enabled\.$/, 'Show them'],
  ] as const)
    it(`explains on an endpoint's own page that it is ${state.toLowerCase()}, with the next step`, async () => {
      const { page } = world;
      await show(name);
      const health = page.getByRole('region', { name: 'Health' });
      const item = health.getByRole('listitem').filter({ has: page.getByText(state, { exact: true }) });
      await item.getByText(reason).waitFor();
      await health.getByRole('img', { name: /^Last 24 hours: [1-9]/ }).waitFor();
      if (next === null) return;
      await item.getByRole('link', { name: next }).click();
      await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
      expect(page.url()).to.include(`endpointId=${addressOf(name).split('/').at(-1)}`);
    });

  it('leads to the responses of an endpoint that fails, also permanently', async () => {
    const { page } = world;
    const ended = await storedDelivery(world, { endpointId: demo.failing, status: 'failed_permanent' });
    const refused = {
      ordinal: 1,
      httpStatus: 404,
      failureReason: 'http_status',
      responseBody: null,
    } as const;
    await world.database.collections.deliveries.updateOne(
      { _id: ended.id },
      { $set: { lastAttempt: { ...refused, attemptedAt: new Date(), durationMs: 12 } } },
    );
    // A session that has not loaded the list before.
    await world.openAs(['admin']);
    for (const [name, region] of [
      ['overview', 'Needs attention'],
      ['failing', 'Health'],
    ] as const) {
      await show(name);
      const item = page.getByRole('region', { name: region }).getByRole('listitem');
      await item.getByRole('link', { name: 'See its responses' }).click();
      await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
      await page.locator(`tbody a[href$="/deliveries/${ended.id}"]`).waitFor();
      expect(decodeURIComponent(page.url())).to.include('status=failed_permanent,dead_lettered,failed');
    }
  });

  it('leads to the responses of a disabled endpoint, without the deliveries that it holds', async () => {
    const { page } = world;
    await show('disabled');
    await page.getByRole('link', { name: 'See its response' }).click();
    const table = page.getByRole('region', { name: 'Deliveries', exact: true });
    await table.locator('tbody').getByText('Failed').first().waitFor();
    expect(await table.getByText('Held').count()).to.equal(0);
    const reason = page.getByRole('combobox', { name: 'Reason' });
    expect(await reason.locator('option:checked').textContent()).to.equal('Any reason of the last attempt');
    await expectAccessible(page);
  });

  it('opens the response that says why a delivery has not arrived', async () => {
    const { page } = world;
    const id = demo.retrying;
    const responseBody = 'the disk is full';
    await world.database.collections.deliveries.updateOne(
      { _id: id },
      { $set: { 'records.3.responseBody': responseBody } },
    );
    await world.openAs(['read'], `/deliveries/${id}`);
    const attempts = page.getByRole('region', { name: 'Attempts' });
    await attempts.getByText(responseBody).waitFor();
    expect(await attempts.locator('details[open]').count()).to.equal(1);
  });

  it('moves the focus to the heading of a page that replaces another, and leaves it in a filter', async () => {
    const { page } = world;
    const focused = () =>
      page.evaluate<string>('document.activeElement.tagName + document.activeElement.textContent');
    await world.openAs(['admin'], '/deliveries');
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
    // Regression: the heading of the page before got the focus until the script of the next one was loaded.
    const script = Promise.withResolvers<void>();
    await page.route('**/event-types-page-*.js', async (route) => {
      await script.promise;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Event types', exact: true }).press('Enter');
    await eventually(() => expect(page.url()).to.include('/event-types'));
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
    expect(await focused()).to.equal('AEvent types');
    script.resolve();
    await eventually(async () => expect(await focused()).to.equal('H1Event types'));
    await page.unroute('**/event-types-page-*.js');
    for (const name of ['Endpoints', 'Members', 'Signature check']) {
      await page.getByRole('link', { name, exact: true }).press('Enter');
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await eventually(async () => expect(await focused()).to.equal(`H1${name}`));
    }
    await page.goBack();
    await eventually(async () => expect(await focused()).to.equal('H1Members'));
    await show('deliveries');
    await eventually(async () => expect(await focused()).to.equal('H1Deliveries'));
    const eventType = page.getByLabel('Event type');
    const rows = page
      .getByRole('region', { name: 'Deliveries', exact: true })
      .locator('tbody tr[data-index]');
    const others = rows.filter({ hasNotText: 'invoice.paid' });
    await others.first().waitFor();
    await eventType.fill('invoice.paid');
    await page.getByRole('button', { name: 'Apply' }).press('Enter');
    await eventually(async () => {
      expect(await rows.count()).to.be.above(0);
      expect(await others.count()).to.equal(0);
    });
    // Regression: the filters were created anew.
    expect(await focused()).to.equal('BUTTONApply');
    await eventType.fill('');
    await eventType.press('Enter');
    await others.first().waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('INPUT');
    expect(await eventType.inputValue()).to.equal('');
    await page.goto(`${world.origin}/console/#/there-is-no-such-page`);
    await page.getByRole('heading', { name: 'This page does not exist.' }).waitFor();
    await eventually(async () => expect(await focused()).to.equal('H1This page does not exist.'));
  });

  it('shows on the page of an endpoint since when it has failed, and when its next test event is due', async () => {
    const { page } = world;
    await show('failing');
    const health = page.getByRole('region', { name: 'Health' });
    await health.getByText(/^Failing since .*20\d\d/).waitFor();
    await health.getByText(/^Latest failed delivery .*: .*[Tt]he receiver/).waitFor();
    const { endpoints } = world.database.collections;
    const at = new Date(Date.now() + 600_000);
    await endpoints.updateOne({ _id: demo.disabled }, { $set: { recovery: 'probe', probeAt: at } });
    await world.openAs(['admin'], addressOf('disabled'));
    await health.getByText(/^Next test event, which may re-enable it: in \d+ min/).waitFor();
    await expectAccessible(page);
    await endpoints.updateOne(
      { _id: demo.disabled },
      { $set: { recovery: 'manual' }, $unset: { probeAt: '' } },
    );
  });

  // Regression: the page of an endpoint was read again only while sending was held, and the countdown stayed at its end.
  it('follows the health of an endpoint while its page is shown', async () => {
    const { endpoints } = world.database.collections;
    const probe = (at: number) => ({ $set: { recovery: 'probe' as const, probeAt: new Date(at) } });
    await endpoints.updateOne({ _id: demo.disabled }, probe(Date.now() + 50_000));
    const window = await openConsole({ ...world, destroy: async () => {} });
    try {
      const { page } = window;
      await page.clock.install();
      await window.openAs(['admin'], addressOf('disabled'));
      const health = page.getByRole('region', { name: 'Health' });
      await health.getByText(/^Next test event, .*: in \d+ s /).waitFor();
      await endpoints.updateOne({ _id: demo.disabled }, probe(Date.now() + 3_600_000));
      await page.clock.fastForward(31_000);
      await health.getByText(/^Next test event, .*: in \d+ min /).waitFor();
      expect(window.problems).to.deep.equal([]);
    } finally {
      await window.destroy();
      await endpoints.updateOne(
        { _id: demo.disabled },
        { $set: { recovery: 'manual' }, $unset: { probeAt: '' } },
      );
    }
  });

  it('shows the descriptions of event types in full', async () => {
    const { page } = world;
    await show('event-types');
    const cells = page.locator('tbody td:nth-child(2)');
    await cells.first().waitFor();
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 900 });
      await eventually(async () => {
        const cut = await cells.evaluateAll(
          (all: readonly { readonly scrollWidth: number; readonly clientWidth: number }[]) =>
            all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length,
        );
        expect(cut, `at ${width}`).to.equal(0);
      });
    }
  });

  it('copies an attempt as a command, and counts down to the next attempt', async () => {
    const { page } = world;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.origin });
    await show('delivery');
    const countdown = page.getByRole('region', { name: 'Summary' }).getByText(/^in \d+ min/);
    const first = await countdown.textContent();
    // Regression: until the endpoint was loaded, the command had the URL that stands for that of a deleted one.
    await page.route(ENDPOINT_OF_API, async (route) => {
      await sleep(500);
      await route.continue();
    });
    await page.locator('summary', { hasText: 'Request headers' }).first().click();
    await page.getByRole('button', { name: 'Copy as curl' }).first().click();
    await page.unroute(ENDPOINT_OF_API);
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(command).to.match(/^ {2}curl -X POST 'https:\/\/api\.fabrikam\.example\.com\/events'/m);
    expect(command).to.include("-H 'webhook-signature: v1,").and.include('"eventType":"');
    await eventually(async () => expect(await countdown.textContent()).to.not.equal(first));
  });

  // Regression: it was a command for https://example.com/webhooks.
  it('copies no command while the URL of the endpoint cannot be read, and none for a deleted one that sends', async () => {
    const { page } = world;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.origin });
    const refuse = (status: number, tag: string) => {
      const problem = { tag, status, title: tag, detail: tag, traceId: 'a'.repeat(32) };
      return page.route(ENDPOINT_OF_API, (route) =>
        route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
      );
    };
    // A page that has loaded nothing.
    await world.openAs(['admin'], '/signature-check');
    await show('delivery');
    await refuse(403, 'Forbidden');
    await page.locator('summary', { hasText: 'Request headers' }).first().click();
    await page.getByText('The token does not permit this.').waitFor();
    const copy = page.getByRole('button', { name: 'Copy as curl' }).first();
    expect(await copy.count()).to.equal(0);
    await refuse(404, 'EndpointNotFound');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The endpoint was deleted, so its URL is unknown').waitFor();
    await expectAccessible(page);
    await copy.click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await page.unroute(ENDPOINT_OF_API);
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).to.include(
      "curl -X POST 'https://deleted-endpoint.invalid/'",
    );
  });

  it('says which headers a copied command lacks', async () => {
    const { page } = world;
    const pattern = '**/attempts*';
    await page.route(pattern, async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      for (const { requestHeaders } of body.items) requestHeaders.authorization = '•••';
      await route.fulfill({ response, json: body });
    });
    // A page that has loaded nothing.
    await world.openAs(['admin'], '/signature-check');
    await show('delivery');
    await page.locator('summary', { hasText: 'Request headers' }).first().click();
    await page.getByText('Without authorization: the values of static headers').first().waitFor();
    await page.unroute(pattern);
  });

  it("shows the health of an endpoint that a delivery's page has just loaded", async () => {
    const { page } = world;
    // A page that has loaded nothing.
    await world.openAs(['admin'], '/signature-check');
    await show('delivery');
    const loaded = page.waitForResponse(ENDPOINT_OF_API);
    await page.locator('summary', { hasText: 'Request headers' }).first().click();
    await loaded;
    await page.locator('main a[href*="#/endpoints/whe_"]').first().click();
    await page.getByRole('region', { name: 'Health' }).waitFor();
  });

  it('filters endpoints by state and metadata, and shows the last 24 hours of each', async () => {
    const { page } = world;
    await show('endpoints');
    await page.getByLabel('State').selectOption('slow');
    await page
      .getByRole('link', { name: 'https://hooks.northwind.example.com' })
      .waitFor({ state: 'detached' });
    const slow = page.getByRole('row').filter({ hasText: 'https://hooks.wingtip.example.com/v2/events' });
    await slow.getByRole('img', { name: /^Last 24 hours: [1-9][\d,]* delivered, \d+ failed$/ }).waitFor();
    await page.getByLabel('State').selectOption('');
    await page.getByLabel('Metadata').fill('customer:adventure-works');
    await page.locator('table[aria-rowcount="2"]').waitFor();
    await page.getByRole('link', { name: 'https://events.adventure-works.example.com/in' }).waitFor();
    await page.getByLabel('Metadata').fill('nothing');
    await page.getByRole('alert').getByText('metadata must be a name and a value').first().waitFor();
  });

  it('keeps the filters of endpoints in the address, until the list is opened anew', async () => {
    const { page } = world;
    await show('signature-check');
    await show('endpoints');
    await page.getByLabel('State').selectOption('slow');
    await page.getByLabel('Search').fill('wingtip');
    await page.locator('table[aria-rowcount="2"]').waitFor();
    await eventually(() => expect(page.url()).to.include('state=slow').and.include('text=wingtip'));
    await page.getByRole('link', { name: 'https://hooks.wingtip.example.com/v2/events' }).click();
    await page.getByRole('region', { name: 'Health' }).waitFor();
    await page.goBack();
    await page.locator('table[aria-rowcount="2"]').waitFor();
    expect(await page.getByLabel('State').inputValue()).to.equal('slow');
    expect(await page.getByLabel('Search').inputValue()).to.equal('wingtip');
    await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
    await page.getByRole('link', { name: 'https://hooks.northwind.example.com' }).first().waitFor();
    await eventually(async () => expect(await page.getByLabel('Search').inputValue()).to.equal(''));
    expect(page.url()).to.match(/#\/endpoints$/);
  });

  // Regression: the space disappeared as soon as the address had the filter.
  it('keeps a space at the end of a search that is continued later', async () => {
    const { page } = world;
    await show('signature-check');
    await show('endpoints');
    const search = page.getByLabel('Search');
    await search.pressSequentially('acme ');
    await eventually(() => expect(page.url()).to.match(/text=acme$/));
    await search.pressSequentially('orders');
    await eventually(() => expect(page.url()).to.match(/text=acme(\+|%20)orders$/));
    expect(await search.inputValue()).to.equal('acme orders');
  });

  it('leads from the overview to all endpoints that need attention, and to no others', async () => {
    const { page } = world;
    const pattern = /\/webhooks\?.*state=/;
    await show('signature-check');
    // Regression: among more than 1,000 endpoints, those that the first request had not examined were not shown.
    await page.route(pattern, async (route) => {
      const url = new URL(route.request().url());
      if (url.searchParams.get('cursor') !== 'second')
        return route.fulfill({
          json: { items: [], nextCursor: url.searchParams.has('cursor') ? 'x' : 'second' },
        });
      url.searchParams.delete('cursor');
      const response = await route.fetch({ url: url.href });
      return route.fulfill({ response, json: { ...(await response.json()), nextCursor: 'x' } });
    });
    await world.openAs(['admin']);
    await page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem').first().waitFor();
    const more = page.getByRole('link', { name: 'Other endpoints may need attention, too' });
    await more.waitFor();
    await page.unroute(pattern);
    await more.click();
    await page.getByRole('link', { name: 'https://hooks.wingtip.example.com/v2/events' }).waitFor();
    expect(await page.getByRole('link', { name: 'https://hooks.northwind.example.com' }).count()).to.equal(0);
    await page.getByLabel('State').getByText('Needs attention').waitFor({ state: 'attached' });
    await expectAccessible(page);
  });

  it('needs the session and one round for the first page, and another for the causes of failures alone', async () => {
    const { page } = world;
    const { secret } = await world.as(['admin']);
    await page.goto('about:blank');
    const rounds = await requestRounds(page, async () => {
      await page.goto(`${world.origin}/console/#token=${secret}`);
      await page.locator('nav').waitFor({ state: 'attached' });
    });
    const [first, causes, ...others] = rounds;
    expect(first).to.be.an('array').that.is.not.empty;
    for (const url of causes ?? []) expect(url).to.include('/webhooks/deliveries?endpointId=');
    expect(others).to.deep.equal([]);
  });
});
