import { expect } from 'chai';
import { hasBrowser } from '../browser.js';
import { type ConsoleWorld, consoleWorld, expectAccessible } from './console-world.js';

describe('console: endpoint actions, tokens and lists of the workspace', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await consoleWorld();
    const admin = await world.as(['admin']);
    const { body } = await admin.request<{ id: string }>('/webhooks', {
      body: { url: 'https://hooks.example.com/in', eventTypes: ['billing.plan_changed'] },
    });
    endpointId = body.id;
    await admin.request('/invitations', { body: { email: 'jo@example.com', role: 'member' } });
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  it('disables and enables an endpoint, rotates its secret and sends a test event', async () => {
    const { page } = world;
    await world.openAs(['write'], `/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled by an operator').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByText(/^whsec_/).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('webhook.test_event').first().waitFor();
  });

  it('offers a reader no changes', async () => {
    await world.openAs(['read'], `/endpoints/${endpointId}`);
    await world.page.getByRole('region', { name: 'Settings' }).waitFor();
    for (const name of ['Disable', 'Rotate secret', 'Send test event', 'Delete endpoint'])
      expect(await world.page.getByRole('button', { name }).count(), name).to.equal(0);
  });

  it('creates a token, shows it once, and revokes it', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('deploy <b>bot</b>');
    await dialog.getByRole('button', { name: 'Create token' }).click();
    await dialog.getByText(/^prt_/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke deploy <b>bot</b>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked').waitFor();
    await expectAccessible(page);
  });

  it('lists members, notifications and the audit log', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/audit-log');
    await page.getByText('webhook_endpoint.created').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('heading', { name: 'Members' }).waitFor();
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByText('No notifications.').waitFor();
    await expectAccessible(page);
  });

  it('deletes an endpoint once its host is entered', async () => {
    const { page } = world;
    await world.openAs(['admin'], `/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Delete endpoint' }).click();
    const dialog = page.getByRole('dialog');
    const confirm = dialog.getByRole('button', { name: 'Delete endpoint' });
    expect(await confirm.isDisabled()).to.equal(true);
    await dialog.getByLabel('Enter hooks.example.com to confirm').fill('hooks.example.com');
    await confirm.click();
    await page.getByText('No endpoints yet.').waitFor();
  });
});

describe('console: endpoint form and event types', () => {
  let world: ConsoleWorld;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await consoleWorld();
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  it("creates an endpoint, shows the api's objection at its field, and changes the endpoint", async () => {
    const { page } = world;
    await world.openAs(['write'], '/endpoints');
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('https://localhost/x');
    await dialog.getByText('billing.plan_changed').click();
    const submit = dialog.getByRole('button', { name: 'Create endpoint' });
    await submit.click();
    await dialog.getByRole('alert').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('URL').fill('https://hooks.example.com/new');
    await submit.click();
    await page.getByRole('heading', { name: 'https://hooks.example.com/new' }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Description').fill('orders');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('orders').waitFor();
  });

  it('lists event types with their schema and an example', async () => {
    const { page } = world;
    await world.openAs(['read'], '/event-types');
    await page.getByRole('button', { name: 'Show the schema of billing.plan_changed' }).click();
    await page.getByRole('dialog').getByText('"previousPlan"').first().waitFor();
    await expectAccessible(page);
  });
});
