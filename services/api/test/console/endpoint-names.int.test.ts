import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Request } from 'playwright-core';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const ENDPOINTS = 30;
/** What follows an answer has happened by then. */
const SETTLE_MS = 500;
const urlOf = (n: number) => `https://receiver-${n}.example.com/a/long/path/of/a/receiver/in-${n}`;

describe('console: names of endpoints', () => {
  let world: ConsoleWorld;
  const ids: string[] = [];
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    for (let n = 0; n < ENDPOINTS; n++) {
      const id = await createEndpoint(world, { url: urlOf(n), description: `Receiver ${n}` });
      await storedDelivery(world, { endpointId: id, status: 'dead_lettered' });
      ids.push(id);
    }
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  const listsOf = async (action: () => Promise<unknown>) => {
    const urls: string[] = [];
    const note = (request: Request) => {
      if (request.url().includes('/webhooks?')) urls.push(request.url());
    };
    world.page.on('request', note);
    await action();
    world.page.off('request', note);
    return urls;
  };

  it('are shown for all rows of a table after at most two requests', async () => {
    const { page } = world;
    const lists = await listsOf(async () => {
      await world.openAs(['read'], '/deliveries');
      const row = page
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: urlOf(ENDPOINTS - 1) }) });
      await row.getByText(ids.at(-1) ?? '').waitFor();
      await page.waitForLoadState('networkidle');
    });
    // The table first renders the rows above, then those that fit.
    expect(lists.filter((url) => url.includes('ids=')).length).to.be.within(1, 2);
    await expectAccessible(page);
  });

  it('are ids where an endpoint was deleted', async () => {
    const { page } = world;
    const admin = await world.as(['admin']);
    const deleted = await createEndpoint(world, { url: urlOf(ENDPOINTS) });
    await admin.request(`/webhooks/${deleted}`, { method: 'DELETE' });
    await storedDelivery(world, { endpointId: deleted, status: 'dead_lettered' });
    await world.openAs(['read'], `/deliveries?endpointId=${deleted}`);
    await page.getByRole('link', { name: deleted }).waitFor();
  });

  it('are up to date in lists after a URL was edited', async () => {
    const { page } = world;
    await world.openAs(['admin'], `/deliveries?endpointId=${ids[5]}`);
    await page.getByRole('link', { name: urlOf(5) }).waitFor();
    await world.show(`/endpoints/${ids[5]}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const edited = `${urlOf(5)}-v2`;
    await page.getByRole('dialog').getByLabel('URL').fill(edited);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: edited }).waitFor();
    await world.show(`/deliveries?endpointId=${ids[5]}`);
    await page.getByRole('link', { name: edited }).waitFor();
  });

  it('are shown in the audit log and in the list of replays', async () => {
    const { page } = world;
    await world.openAs(['admin'], `/audit-log?targetId=${ids[3]}`);
    await page.getByRole('link', { name: urlOf(3) }).waitFor();
    const admin = await world.as(['admin']);
    const createdAfter = new Date(Date.now() - 3_600_000).toISOString();
    const body = { endpointId: ids[4], createdAfter, dryRun: true };
    await admin.request('/webhooks/replay-jobs', { body });
    await world.show('/replays');
    await page.getByRole('link', { name: urlOf(4) }).waitFor();
  });

  it('are offered while a URL is typed as a filter, and a whole one is taken over', async () => {
    const { page } = world;
    await world.openAs(['read'], '/deliveries');
    const field = page.getByLabel('Endpoint id');
    await field.fill('receiver-7.');
    await page.getByText('Choose one of the suggested endpoints').waitFor();
    await page.locator(`datalist option[value="${ids[7]}"]`).waitFor({ state: 'attached' });
    await expectAccessible(page);
    await field.fill(urlOf(8));
    await page.locator(`input[value="${ids[8]}"]`).waitFor();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.locator('table[aria-rowcount="2"]').waitFor();
  });

  // Regression: the id of the endpoint with the shorter URL replaced what was being typed.
  it('are taken over once they are typed, also where a longer one begins with them', async () => {
    const { page } = world;
    const shorter = await createEndpoint(world, { url: 'https://nested.example.com/in' });
    const longer = await createEndpoint(world, { url: 'https://nested.example.com/in/orders' });
    await world.openAs(['read'], '/deliveries');
    const field = page.getByLabel('Endpoint id');
    await field.pressSequentially('https://nested.example.com/in');
    await page.locator(`datalist option[value="${shorter}"]`).waitFor({ state: 'attached' });
    await page.waitForTimeout(SETTLE_MS);
    await field.pressSequentially('/orders');
    await page.locator(`input[value="${longer}"]`).waitFor();
    await field.fill('https://nested.example.com/in');
    await page.locator(`datalist option[value="${shorter}"]`).waitFor({ state: 'attached' });
    await field.press('Enter');
    await page.locator(`input[value="${shorter}"]`).waitFor();
    await eventually(() => expect(page.url()).to.include(`endpointId=${shorter}`));
  });

  it('keep the end of the URL on a phone, where the middle is cut', async () => {
    const { page } = world;
    await page.setViewportSize({ width: 390, height: 800 });
    await world.openAs(['read'], '/endpoints');
    const link = page.getByRole('link', { name: urlOf(0) });
    await link.waitFor();
    const [start, end] = [link.locator('span > span').first(), link.locator('span > span').last()];
    expect(await end.textContent()).to.match(/in-0$/);
    const isCut = (element: { readonly scrollWidth: number; readonly clientWidth: number }) =>
      element.scrollWidth > element.clientWidth;
    expect([await start.evaluate(isCut), await end.evaluate(isCut)]).to.deep.equal([true, false]);
    await page.setViewportSize({ width: 1_280, height: 900 });
  });
});
