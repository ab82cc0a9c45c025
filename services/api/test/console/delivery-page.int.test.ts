import type { Delivery } from '@postrider/shared/domain/delivery';
import { asId, deliveryIdOf, type EndpointId } from '@postrider/shared/domain/id';
import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { createGuardRecords } from '@postrider/shared/mongo/outage-guard-records';
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { newId } from '../api-world.js';
import { hasBrowser } from '../browser.js';
import { deliveryRow } from '../delivery-row.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { demoAttempts } from './demo-attempts.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const ATTEMPTS = /\/attempts$/;

describe('console: the page of a delivery', () => {
  let world: ConsoleWorld;
  let endpointId: EndpointId;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    endpointId = asId('endpoint', await createEndpoint(world));
  });
  after(async () => {
    await world?.database.collections.outageGuards.deleteMany({});
    await world?.destroy();
  });
  afterEach(() => expect(world.problems).to.deep.equal([]));

  /** As fan-out stores it: the event's outcomes are found by the id that its delivery to an endpoint has. */
  const stored = async (status: Delivery['status']) => {
    const event = { eventId: newId('event'), occurredAt: new Date() };
    const payload = { ...event, occurredAt: event.occurredAt.toISOString() };
    const row = deliveryRow({ workspaceId: world.workspace.id, endpointId, status, payload });
    const delivery = { ...row, id: deliveryIdOf(event, endpointId) };
    await world.database.collections.deliveries.insertOne(toDeliveryDocument(delivery));
    return delivery;
  };
  const setDelivered = async (delivery: Delivery) => {
    const delivered = { ...delivery, status: 'delivered' } as Delivery;
    const records = demoAttempts(delivered, { n: 0, isSlow: false });
    await world.database.collections.deliveries.updateOne(
      { _id: delivery.id },
      { $set: { status: 'delivered', attempts: records.length, records }, $unset: { dueAt: '' } },
    );
  };
  const region = (name: string) => world.page.getByRole('region', { name, exact: true }).first();

  it('loads attempts again that were loaded before the delivery was settled', async () => {
    const { page } = world;
    const delivery = await stored('pending');
    await setDelivered(delivery);
    const before = async (route: Route) => route.fulfill({ json: { items: [], nextCursor: null } });
    await page.route(ATTEMPTS, before, { times: 1 });
    await world.openAs(['read'], `/deliveries/${delivery.id}`);
    await region('Attempts').getByText('HTTP 200').waitFor();
    await page.unroute(ATTEMPTS);
  });

  // Regression: the response was closed while it was read.
  it('leaves the response of an attempt open when the next attempt arrives', async () => {
    const { deliveries } = world.database.collections;
    const delivery = await stored('pending');
    const failed = { ...delivery, status: 'failed' } as Delivery;
    const [first, second] = demoAttempts({ ...failed, attempts: 2 } as Delivery, { n: 0, isSlow: false });
    const records = [first, second].map((record, n) => ({ ...record, responseBody: `response ${n}` }));
    const set = (attempts: number) =>
      deliveries.updateOne(
        { _id: delivery.id },
        { $set: { status: 'failed', attempts, records: records.slice(0, attempts) as never } },
      );
    await set(1);
    await world.openAs(['read'], `/deliveries/${delivery.id}`);
    await region('Attempts').getByText('response 0').waitFor();
    await set(2);
    await region('Attempts').getByText('response 1').waitFor();
    expect(await region('Attempts').getByText('response 0').isVisible()).to.equal(true);
  });

  it('requests the attempts once more at most where records have expired', async () => {
    const { page } = world;
    const delivery = await stored('pending');
    await setDelivered(delivery);
    let requests = 0;
    await page.route(ATTEMPTS, async (route) => {
      requests++;
      await route.fulfill({ json: { items: [], nextCursor: null } });
    });
    await world.openAs(['read'], `/deliveries/${delivery.id}`);
    await region('Attempts').getByText('No attempt has been made yet').waitFor();
    await page.waitForLoadState('networkidle');
    await page.unroute(ATTEMPTS);
    expect(requests).to.equal(2);
  });

  it('shows the new outcome in the list of the event as well', async () => {
    const delivery = await stored('pending');
    await world.openAs(['read'], `/deliveries/${delivery.id}`);
    const event = region('The event at every endpoint');
    await event.getByText('Pending').waitFor();
    await setDelivered(delivery);
    await region('Summary').getByText('Delivered').waitFor();
    await event.getByText('Delivered', { exact: true }).waitFor();
    await event.getByText('Pending').waitFor({ state: 'detached' });
  });

  it('leads to the other deliveries of its trace, and copies the ids of trace and event', async () => {
    const { page } = world;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.origin });
    const delivery = await stored('delivered');
    await world.openAs(['read'], `/deliveries/${delivery.id}`);
    const summary = region('Summary');
    for (const [name, id] of [
      ['Copy the event id', String(delivery.payload.eventId)],
      ['Copy the trace id', delivery.traceId],
    ] as const) {
      await summary.getByRole('button', { name }).click();
      await summary.getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(id);
      await summary.getByText('Copied').waitFor({ state: 'detached' });
    }
    await expectAccessible(page);
    await summary.getByRole('link', { name: delivery.traceId }).click();
    await page.getByRole('heading', { name: 'Deliveries', level: 1 }).waitFor();
    expect(page.url()).to.include(`traceId=${delivery.traceId}`);
  });

  it('says in the list of the event no longer that sending is held once it has resumed', async () => {
    const { page } = world;
    const records = createGuardRecords(world.database.collections, {
      processId: 'delivery-page',
      clock: world.clock,
    });
    const publish = (holding: boolean) => records.publish({ holding, domains: [], origins: [] });
    const delivery = await stored('pending');
    await publish(true);
    await world.openAs(['read'], `/deliveries/${delivery.id}`);
    const event = region('The event at every endpoint');
    await event.getByText(/Sending has been held/).waitFor();
    // The delivery is read at another moment than the list.
    await page.getByRole('status').getByText('Sending has been held').waitFor();
    await expectAccessible(page);
    await publish(false);
    await event.getByText(/Sending has been held/).waitFor({ state: 'detached' });
  });
});
