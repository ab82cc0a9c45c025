import { expect } from 'chai';
import { hasBrowser, UNTRUSTED_HOST } from '../browser.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

/** Chromium reports headers that only have an effect over HTTPS. */
const IGNORED_HEADER = /header has been ignored, because the URL's origin was untrustworthy/;

// Regression: every POST failed as if the server had not responded, and copying and the signature check did nothing.
describe('console: over plain HTTP from another host', () => {
  let world: ConsoleWorld;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld(UNTRUSTED_HOST);
  });
  after(() => world?.destroy());
  afterEach(() =>
    expect(world.problems.filter((problem) => !IGNORED_HEADER.test(problem))).to.deep.equal([]),
  );

  it('sends requests, and says that it cannot copy', async () => {
    const { page } = world;
    await world.openAs(['write'], `/endpoints/${await createEndpoint(world)}`);
    expect(await page.evaluate('isSecureContext')).to.equal(false);
    await page.getByRole('button', { name: 'Copy the id' }).click();
    await page.getByText('Copying is not allowed here').waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('webhook.test_event').first().waitFor();
  });

  it('says where signatures can be checked', async () => {
    const { page } = world;
    await world.openAs(['read'], '/signature-check');
    await page.getByText('Browsers verify signatures only on pages that were loaded over HTTPS').waitFor();
    expect(await page.getByRole('button', { name: 'Check' }).isDisabled()).to.equal(true);
    await expectAccessible(page);
  });
});
