import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { hasBrowser } from '../browser.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const DELIVERY = /\/webhooks\/deliveries\/whd_\w+$/;
/** Several intervals in which an open delivery is read. */
const QUIET_MS = 2_500;

describe('console: first steps', () => {
  let world: ConsoleWorld;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
  });
  after(() => world?.destroy());
  afterEach(async () => {
    await world.page.unroute(DELIVERY);
    expect(world.problems).to.deep.equal([]);
  });

  /** Creates an endpoint as these scopes permit. */
  const openSecretStep = async (scopes: Parameters<ConsoleWorld['openAs']>[0], url: string) => {
    const { page } = world;
    await world.openAs(scopes, '/endpoints/new');
    await page.getByLabel('URL').fill(url);
    await page.getByText('All event types, including future ones').click();
    await page.getByRole('button', { name: 'Create endpoint' }).click();
  };
  /** Then opens the step of the test event. */
  const openTestStep = async (...endpoint: Parameters<typeof openSecretStep>) => {
    await openSecretStep(...endpoint);
    await world.page.getByRole('button', { name: 'My receiver verifies signatures' }).click();
  };
  const sendTest = () => world.page.getByRole('button', { name: 'Send test event' }).click();
  const result = () => world.page.getByRole('status').filter({ hasText: 'Details of the delivery' });
  const endTestEvents = (status: string, failureReason: string | null) =>
    world.database.collections.deliveries.updateMany(
      { workspaceId: world.workspace.id, eventType: 'webhook.test_event' },
      { $set: { status, failureReason } as object, $unset: { dueAt: '' } },
    );

  it('remain where they were after the delivery was opened, and after a reload', async () => {
    const { page } = world;
    const url = 'https://hooks.example.com/back';
    await openTestStep(['write'], url);
    await sendTest();
    await result().getByText('Pending').waitFor();
    await page.getByRole('link', { name: 'Details of the delivery' }).click();
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText(url).waitFor();
    await result().getByText('Pending').waitFor();
    await page.reload();
    await result().getByText('Pending').waitFor();
    await endTestEvents('delivered', null);
    await page.getByRole('button', { name: 'Check the receiver' }).waitFor();
    await expectAccessible(page);
  });

  it('stop reading a test event that has ended', async () => {
    const { page } = world;
    await openTestStep(['write'], 'https://hooks.example.com/ended');
    await sendTest();
    await result().getByText('Pending').waitFor();
    await endTestEvents('failed_permanent', 'http_status');
    await result().getByText('Failed', { exact: true }).waitFor();
    let requests = 0;
    page.on('request', (request) => {
      if (DELIVERY.test(request.url())) requests++;
    });
    await page.waitForTimeout(QUIET_MS);
    expect(requests).to.equal(0);
  });

  it('show that a test event could not be read, and why sending is held', async () => {
    const { page } = world;
    await openTestStep(['write'], 'https://hooks.example.com/held');
    await page.route(DELIVERY, (route) => route.fulfill({ status: 404, body: '' }));
    await sendTest();
    await page.getByRole('alert').waitFor();
    await page.unroute(DELIVERY);
    await page.route(DELIVERY, async (route: Route) => {
      const response = await route.fetch();
      const sendingHolds = [{ cause: 'clock', since: new Date().toISOString() }];
      await route.fulfill({ response, json: { ...(await response.json()), sendingHolds } });
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('status').getByText('Sending has been held since').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    await expectAccessible(page);
  });

  it('do not offer what the token does not permit', async () => {
    const { page } = world;
    await openSecretStep(['webhook:list', 'webhook:create'], 'https://hooks.example.com/no-test');
    // Regression: the step had the code alone, and nothing about the secret that it needs.
    await page.getByText('You are not permitted to create the signing secret.').waitFor();
    await page.getByRole('button', { name: 'My receiver verifies signatures' }).click();
    await page.getByText('You are not permitted to do this.').waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Open the endpoint' }).click();
    await page.getByRole('region', { name: 'Settings' }).waitFor();
    expect(await page.getByRole('link', { name: 'Check the receiver' }).count()).to.equal(0);
  });

  it('check the receiver of any endpoint, from its page', async () => {
    const { page } = world;
    const id = await createEndpoint(world, {
      url: 'https://hooks.example.com/check',
      eventTypes: ['billing.*'],
    });
    await world.openAs(['write'], `/endpoints/${id}`);
    await page.getByRole('link', { name: 'Check the receiver' }).click();
    await page.getByRole('button', { name: 'Check the receiver' }).click();
    await page.getByText('Sending the requests…').waitFor();
    await eventually(async () => expect(await page.getByRole('alert').count()).to.equal(0));
    await expectAccessible(page);
  });

  it('report an endpoint that does not exist', async () => {
    await world.openAs(['write'], '/endpoints/new?endpointId=whe_01m822hatbyhse9rgj9j9e5pkf');
    await world.page.getByRole('alert').getByText('There is no such endpoint.').waitFor();
  });
});
