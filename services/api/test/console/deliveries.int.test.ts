import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { newId } from '../api-world.js';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { insertDemoStats } from './demo-stats.js';
import { sharedConsoleWorld } from './shared-console-world.js';

describe('console: sign-in, endpoints and deliveries', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    endpointId = await createEndpoint(world, { description: '<img src=x onerror="document.title=1">' });
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  it('takes the token of a portal link out of the address bar, keeps it in the tab alone and forgets it at sign-out', async () => {
    const { page } = world;
    await world.openAs(['read']);
    expect(page.url()).to.not.include('token');
    const stored = await page.evaluate(() => Object.keys(sessionStorage));
    expect(stored).to.have.members(['postrider.tokens', 'postrider.workspace']);
    expect(await page.evaluate('JSON.stringify(localStorage) + document.cookie')).to.not.include('prt_');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).to.not.include('prt_');
  });

  it('signs in with a token, keeps it over a reload and forgets it at sign-out', async () => {
    const { secret } = await world.as(['read']);
    const { page } = world;
    await world.open();
    await page.getByLabel('API token').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API token').waitFor();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).to.not.include('prt_');
  });

  it('shows a workspace only what was loaded with its own token', async () => {
    const { page } = world;
    const workspace = await world.addWorkspace('second');
    const { secret } = await world.as(['read'], { workspace });
    await world.openAs(['read'], '/endpoints');
    await page.getByRole('link', { name: 'https://hooks.example.com/in' }).waitFor();
    await page.getByRole('button', { name: 'Add workspace' }).click();
    await page.getByLabel('API token').fill(secret);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('No endpoints yet.').waitFor();
    expect(await page.getByRole('link', { name: 'https://hooks.example.com/in' }).count()).to.equal(0);
    const choice = page.getByRole('combobox', { name: 'Workspace' });
    await choice.focus();
    await choice.press('ArrowUp');
    await page.getByRole('link', { name: 'https://hooks.example.com/in' }).waitFor();
    // Regression: after one key the focus was at the heading.
    await choice.press('ArrowDown');
    await page.getByText('No endpoints yet.').waitFor();
    expect(await page.evaluate('document.activeElement.tagName')).to.equal('SELECT');
    await page.evaluate(() => sessionStorage.clear());
  });

  it('explains a token that is not valid', async () => {
    const { page } = world;
    await world.open();
    await page.getByLabel('API token').fill('prt_unknown');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The token is not valid').waitFor();
    await expectAccessible(page);
  });

  it('lists endpoints and shows markup in a description as text', async () => {
    const { page } = world;
    await world.openAs(['read'], '/endpoints');
    await page.getByText('<img src=x onerror').waitFor();
    await page.getByRole('link', { name: 'https://hooks.example.com/in' }).click();
    await page.getByRole('region', { name: 'Settings' }).waitFor();
    expect(await page.title()).to.include('hooks.example.com');
  });

  it('shows a delivery and offers a replay only to tokens that may replay', async () => {
    const { page } = world;
    const { id } = await storedDelivery(world, {
      endpointId,
      status: 'dead_lettered',
      payload: { note: '<script>document.title=1</script>' },
    });
    await world.openAs(['read'], `/deliveries/${id}`);
    await page.getByText('<script>document.title=1</script>').waitFor();
    expect(await page.getByRole('button', { name: 'Replay' }).count()).to.equal(0);
    await world.openAs(['write'], `/deliveries/${id}`);
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByText('Pending').waitFor();
    // Regression: a delivery that was loaded in the last five seconds was shown without its replay.
    await page.goBack();
    await page.getByText('Replayed as').waitFor();
  });

  it('shows what became of the event at every endpoint', async () => {
    const { page } = world;
    const url = 'https://hooks.example.com/members';
    await createEndpoint(world, { url, eventTypes: ['workspace_member.added'] });
    const payload = { eventId: newId('event'), occurredAt: new Date().toISOString() };
    const { id } = await storedDelivery(world, { endpointId, status: 'delivered', payload });
    await world.openAs(['read'], `/deliveries/${id}`);
    const event = page.getByRole('region', { name: 'The event at every endpoint' }).first();
    const row = event.getByRole('row').filter({ hasText: 'https://hooks.example.com/members' });
    await row.getByText('Not subscribed').waitFor();
  });

  // Regression: they were shown as the api writes them, in UTC to the millisecond.
  it('shows the times in what became of an event as all others', async () => {
    const { page } = world;
    const dayBefore = new Date(Date.now() - 86_400_000);
    const payload = { eventId: newId('event', dayBefore), occurredAt: dayBefore.toISOString() };
    const { id } = await storedDelivery(world, { endpointId, status: 'delivered', payload });
    await world.openAs(['read'], `/deliveries/${id}`);
    const event = page.getByRole('region', { name: 'The event at every endpoint' }).first();
    const created = event.getByRole('cell', { name: /^It was created at \w{3} \d/ }).first();
    await created.waitFor();
    expect(await created.textContent()).to.match(/, \d\d:\d\d:\d\d GMT\S*\.$/);
    await page.getByLabel('Times').selectOption('utc');
    await eventually(async () => expect(await created.textContent()).to.match(/ UTC\.$/));
    expect(await created.locator('time').getAttribute('datetime')).to.match(/^\d{4}-\S+Z$/);
    await page.getByLabel('Times').selectOption('local');
  });

  it('shows for an event without deliveries why it has none, and again when the filter is applied', async () => {
    const { page } = world;
    const id = newId('event');
    await world.openAs(['read'], `/deliveries?eventId=${id}`);
    await page.getByText('No deliveries match.').waitFor();
    const event = page.getByRole('region', { name: 'The event at every endpoint' }).first();
    const rows = event.getByRole('row').filter({ hasText: 'https://hooks.example.com/in' });
    await rows.getByText('Nothing is stored about this event').waitFor();
    await expectAccessible(page);
    const payload = { eventId: id, occurredAt: new Date().toISOString() };
    await storedDelivery(world, { endpointId, status: 'delivered', payload });
    await page.getByRole('button', { name: 'Apply' }).click();
    await rows.getByText('With its current settings, it subscribes to the event').waitFor();
    await page.evaluate("location.hash = '#/deliveries?eventId=evt_1'");
    await page.getByText('An event id is evt_ followed by 26 characters.').waitFor();
  });

  it('shows deliveries over time as plots, and as a table', async () => {
    const { page } = world;
    await insertDemoStats(world);
    await world.openAs(['read']);
    const panel = page.getByRole('region', { name: 'Deliveries over time' }).first();
    await panel.getByRole('img', { name: /^Delivered: [\d,]+, Retrying: 36, Failed: / }).waitFor();
    await panel.getByRole('img', { name: /p95 \d+ ms/ }).waitFor();
    await expectAccessible(page);
    const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
    await panel.getByText(`Times in ${zone}.`).waitFor();
    await panel.getByRole('button', { name: 'Show as a table' }).click();
    await panel
      .getByRole('cell', { name: /\d\d:\d\d GMT/ })
      .first()
      .waitFor();
    await panel.getByLabel('Period').selectOption('30d');
    await panel.locator('table[aria-rowcount="31"]').waitFor();
    // Regression: a title of two lines covered the one below.
    await page.setViewportSize({ width: 390, height: 900 });
    const exhausted = 'tr[data-index="0"] td[data-title="Retries exhausted"]';
    // The title has no height before the rows have become cards.
    await eventually(async () => {
      const heights = await page.evaluate<readonly [number, number]>(
        `((cell) => [parseFloat(getComputedStyle(cell, '::before').height), cell.offsetHeight])(document.querySelector('${exhausted}'))`,
      );
      expect(heights[0], 'the height of the title').to.be.within(1, heights[1]);
    });
    await page.setViewportSize({ width: 1_280, height: 900 });
    await panel
      .getByRole('cell', { name: /, UTC$/ })
      .first()
      .waitFor();
    await expectAccessible(page);
  });
});
