import type { HoldCause } from '@postrider/shared/domain/sending-hold';
import { createClockHoldRecord, createGuardRecords } from '@postrider/shared/mongo/outage-guard-records';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Page, Route } from 'playwright-core';
import type { SendingHold } from '../../src/contract/sending-hold.js';
import type { ApiClient } from '../api-client.js';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { type ConsoleWorld, expectAccessible, openConsole } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const OUTAGE = /^Sending has been held since .+Postrider's own network .+ resumes by itself when receivers/;
const CLOCK =
  /^Sending has been held since .+The clocks of .+ resumes by itself when the clocks agree again\.$/;
/** What the overview requests: its counts, and the endpoints that need attention. */
const OVERVIEW = /\/workspaces\/[^/]+\/(overview$|webhooks\?.*state=)/;
const WIDTHS = [390, 1_440];

describe('console: sending is held', () => {
  let world: ConsoleWorld;
  let admin: ApiClient;
  /** The endpoint of all deliveries. */
  let listed: string;
  /** The page of a delivery that is not sent yet. */
  let pending: string;
  /** The pages where deliveries are looked at, beside the overview. */
  let addresses: readonly string[];
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    admin = await world.as(['admin']);
    const endpointId = await createEndpoint(world);
    const { id } = await storedDelivery(world, { endpointId, status: 'pending' });
    listed = endpointId;
    pending = `/deliveries/${id}`;
    addresses = ['/deliveries', pending, '/endpoints', `/endpoints/${endpointId}`];
  });
  after(async () => {
    await world?.database.collections.outageGuards.deleteMany({});
    await world?.destroy();
  });
  afterEach(() => expect(world.problems).to.deep.equal([]));

  /** Stores that a dispatcher holds sending for these reasons, and waits until the api knows it. */
  const hold = async (...causes: readonly HoldCause[]) => {
    const { collections } = world.database;
    const publisher = { processId: 'console', clock: world.clock };
    const evidence = { holding: causes.includes('outage'), domains: [], origins: [] };
    await createGuardRecords(collections, publisher).publish(evidence);
    await createClockHoldRecord(collections, publisher).publish(causes.includes('clock'));
    await eventually(async () => {
      const { sendingHolds = [] } = (await admin.request<{ sendingHolds?: SendingHold[] }>('/overview')).body;
      expect(sendingHolds.map(({ cause }) => cause)).to.deep.equal(causes);
    });
  };
  const shown = (page = world.page) =>
    page.getByRole('status').locator('> div').filter({ hasText: 'Sending' }).allTextContents();
  /** Lets so much time pass on a page that it reads again what it refreshes. */
  const refresh = (page: Page) => page.clock.fastForward(11_000);
  /** A page that requests nothing. The overview, which is opened before it, is not shown any more. */
  const openQuietPage = async () => {
    await world.openAs(['admin'], '/signature-check');
    await world.page.getByRole('heading', { name: 'Signature check' }).waitFor();
  };
  const expectBoth = async (address: string, page = world.page) => {
    await eventually(async () => expect(await shown(page), address).to.have.length(2));
    const [outage, clock] = await shown(page);
    expect(outage, address).to.match(OUTAGE);
    expect(clock, address).to.match(CLOCK);
  };

  it('is shown on each page with deliveries or endpoints, from the answers that the page needs anyway', async () => {
    const { page } = world;
    await hold('outage', 'clock');
    await world.openAs(['admin']);
    await expectBoth('/');
    const omitHolds = async (route: Route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), sendingHolds: undefined } });
    };
    await page.route(OVERVIEW, omitHolds);
    try {
      for (const address of addresses) {
        await openQuietPage();
        expect(await shown(), 'a page without answers').to.deep.equal([]);
        await world.show(address);
        await expectBoth(address);
      }
    } finally {
      await page.unroute(OVERVIEW, omitHolds);
    }
  });

  it('takes no place while nothing is held', async () => {
    await hold();
    await world.openAs(['admin'], '/endpoints');
    expect(await shown()).to.deep.equal([]);
    const empty = await world.page.locator('main > [role=status]:empty').boundingBox();
    expect(empty?.height).to.equal(0);
  });

  it('fits a phone and a wide screen, accessible in both themes', async () => {
    const { page } = world;
    await hold('outage', 'clock');
    await openQuietPage();
    for (const address of ['/', ...addresses]) {
      await hold('outage', 'clock');
      await world.show(address);
      await eventually(async () => expect(await shown(), address).to.have.length(2));
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${address} at ${width}`).to.be.at.most(0);
        await expectAccessible(page);
      }
    }
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  // Regression: it stayed until the page was loaded again, except on pages that refreshed themselves anyway.
  it('disappears by itself on each page, and lists do not read their rows again for it', async () => {
    const { id } = await storedDelivery(world, { endpointId: listed, status: 'delivered' });
    for (const address of [...addresses, `/deliveries/${id}`]) {
      const window = await openConsole({ ...world, destroy: async () => {} });
      try {
        const { page } = window;
        await page.clock.install();
        await hold('outage', 'clock');
        await window.openAs(['admin'], address);
        await expectBoth(address, page);
        const requests: string[] = [];
        page.on('request', (request) => requests.push(request.url()));
        await hold('outage');
        await refresh(page);
        await eventually(async () => expect(await shown(page), address).to.have.length(1));
        await hold();
        await refresh(page);
        await eventually(async () => expect(await shown(page), address).to.deep.equal([]));
        const isList = ['/deliveries', '/endpoints'].includes(address);
        if (isList)
          expect(requests.map((url) => new URL(url).search)).to.deep.equal(['?limit=1', '?limit=1']);
        await refresh(page);
        if (isList) expect(requests, 'nothing is held').to.have.length(2);
        expect(window.problems).to.deep.equal([]);
      } finally {
        await window.destroy();
      }
    }
  });

  it('appears and disappears by itself on the page of a delivery that is still sent, also for a portal link', async () => {
    await hold();
    await world.openAs(['webhook:list'], pending);
    await world.page.getByRole('region', { name: 'Summary' }).getByText('Pending').waitFor();
    expect(await shown()).to.deep.equal([]);
    await hold('clock');
    await eventually(async () => expect(await shown()).to.have.length(1));
    expect((await shown())[0]).to.match(CLOCK);
    await hold();
    await eventually(async () => expect(await shown()).to.deep.equal([]));
  });
});
