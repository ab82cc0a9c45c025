import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { type ConsoleWorld, openConsole } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

// Regression: a button was enabled again as soon as the api had answered, although the script of the page that it opens was still
// being loaded. A second press took effect a second time.
describe('console: buttons that open another page', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    endpointId = await createEndpoint(world);
    await storedDelivery(world, { endpointId, status: 'dead_lettered' });
  });
  after(() => world?.destroy());

  /** Opens an address in a window that has not loaded the script of the next page, whose requests are held. */
  const pressWhileHeld = async (
    address: string,
    script: string,
    press: (window: ConsoleWorld) => Promise<string>,
  ) => {
    const window = await openConsole({ ...world, destroy: async () => {} });
    try {
      const { page } = window;
      const held: Route[] = [];
      await page.route(script, (route) => void held.push(route));
      await window.openAs(['write'], address);
      const name = await press(window);
      const button = page.getByRole('button', { name });
      await button.and(page.locator(':disabled')).waitFor();
      await page.waitForTimeout(500);
      expect(await button.isDisabled(), name).to.equal(true);
      expect(held).to.have.length(1);
      await held[0]?.continue();
      await button.waitFor({ state: 'detached' });
      expect(window.problems).to.deep.equal([]);
    } finally {
      await window.destroy();
    }
  };

  it('send no second test event', () =>
    pressWhileHeld(`/endpoints/${endpointId}`, '**/assets/delivery-page-*.js', async ({ page }) => {
      const answer = page.waitForResponse('**/test-event');
      await page.getByRole('button', { name: 'Send test event' }).click();
      await answer;
      return 'Send test event';
    }));

  it('start no second replay', () =>
    pressWhileHeld(
      `/replays/new?endpointId=${endpointId}`,
      '**/assets/replay-job-page-*.js',
      async ({ page }) => {
        await page.getByRole('button', { name: 'Count the deliveries' }).click();
        const confirm = page.getByRole('button', { name: /^Replay \d+/ });
        await confirm.waitFor();
        const name = (await confirm.textContent()) ?? '';
        const answer = page.waitForResponse('**/replay-jobs');
        await confirm.click();
        await answer;
        return name;
      },
    ));
});
