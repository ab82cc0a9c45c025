import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { closeDialog } from './close-dialog.js';
import type { ConsoleWorld } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

/** Longer than a page takes to open when an answer asks for it. */
const SETTLE_MS = 500;

describe('console: answers that arrive after their page was left', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    endpointId = await createEndpoint(world);
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  /** Presses the button, leaves for the members, and lets the answer through. */
  const expectToStay = async (button: string, pattern: string) => {
    const { page } = world;
    const held = Promise.withResolvers<Route>();
    await page.route(pattern, (route) => held.resolve(route));
    await page.getByRole('button', { name: button }).click();
    const route = await held.promise;
    await world.show('/members');
    const answered = page.waitForResponse(pattern);
    await route.continue();
    await answered;
    await page.unroute(pattern);
    await page.waitForTimeout(SETTLE_MS);
    expect(page.url()).to.match(/#\/members$/);
  };

  it('do not open the delivery of a test event', async () => {
    await world.openAs(['write'], `/endpoints/${endpointId}`);
    await expectToStay('Send test event', '**/test-event');
  });

  it('do not open a replay', async () => {
    const { id } = await storedDelivery(world, { endpointId, status: 'dead_lettered' });
    await world.openAs(['write'], `/deliveries/${id}`);
    await expectToStay('Replay', '**/replay');
  });

  // Regression: the page was left for the workspace whose sign-in had been closed.
  it('do not show a workspace whose sign-in was closed', async () => {
    const { page } = world;
    const other = await world.addWorkspace(`${world.workspace.slug}-late`);
    const { secret } = await world.as(['read'], { workspace: other });
    await world.openAs(['read'], `/endpoints/${endpointId}`);
    const held = Promise.withResolvers<Route>();
    await page.route('**/session', (route) => held.resolve(route));
    await page.getByRole('button', { name: 'Add workspace' }).click();
    await page.getByLabel('API token').fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const route = await held.promise;
    await closeDialog(page);
    const answered = page.waitForResponse('**/session');
    await route.continue();
    await answered;
    await page.unroute('**/session');
    await page.waitForTimeout(SETTLE_MS);
    expect(await page.getByRole('combobox', { name: 'Workspace' }).inputValue()).to.equal(
      world.workspace.slug,
    );
    expect(page.url()).to.include(endpointId);
  });

  it('do not open a replay job', async () => {
    await storedDelivery(world, { endpointId, status: 'dead_lettered' });
    await world.openAs(['write'], `/replays/new?endpointId=${endpointId}`);
    await world.page.getByRole('button', { name: 'Count the deliveries' }).click();
    const confirm = world.page.getByRole('button', { name: /^Replay \d+/ });
    await confirm.waitFor();
    await expectToStay((await confirm.textContent()) ?? '', '**/replay-jobs');
  });
});
