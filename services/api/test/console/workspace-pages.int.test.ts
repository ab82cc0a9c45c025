import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { newId } from '../api-world.js';
import { hasBrowser } from '../browser.js';
import { closeDialog } from './close-dialog.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

/** More than the form shows at once, whichever are first. */
const MANY = 50;

/** What follows an event has happened by then. */
const SETTLE_MS = 500;

/** A dialog that has closed looks for a lost focus two frames later. */
const FRAMES = `new Promise((resolve) => {
  const wait = (frames) => (frames === 0 ? resolve(null) : requestAnimationFrame(() => wait(frames - 1)));
  wait(3);
})`;

/** A button by its text, the content of the page by its id, another place by its label. */
const FOCUSED = `(() => {
  const { localName, textContent, id, ariaLabel } = document.activeElement;
  return localName === 'button' ? textContent : id || ariaLabel;
})()`;

describe('console: endpoint actions, tokens and lists of the workspace', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    const admin = await world.as(['admin']);
    endpointId = await createEndpoint(world);
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
    await closeDialog(page);
    await page.getByText('Previous secret ends').waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('webhook.test_event').first().waitFor();
  });

  it('keeps the focus near a button that was pressed and is gone, or was disabled meanwhile', async () => {
    const { page } = world;
    const press = async (name: string) => {
      await page.getByRole('button', { name }).first().focus();
      await page.keyboard.press('Enter');
    };
    const expectFocus = (place: string) =>
      eventually(async () => expect(await page.evaluate(FOCUSED)).to.equal(place));
    await world.openAs(['admin'], `/endpoints/${endpointId}`);
    await press('Disable');
    await page.getByText('Disabled by an operator').waitFor();
    await expectFocus('main');
    await press('Enable');
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await expectFocus('main');
    await world.show('/replays/new');
    await press('Count the deliveries');
    await page.getByRole('region', { name: 'What would be replayed' }).waitFor();
    await expectFocus('Count the deliveries');
    await (await world.as(['admin'])).request('/invitations', {
      body: { email: 'focus@example.com', role: 'member' },
    });
    await world.show('/members');
    await press('Revoke the invitation of focus@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked').first().waitFor();
    await expectFocus('Invitations');
  });

  // Regression: a press was never forgotten, so the region of the button got the focus when it was gone.
  it('leaves the focus alone when a button disappears that was pressed before something else', async () => {
    const { page } = world;
    const admin = await world.as(['admin']);
    const { body } = await admin.request<{ id: string }>('/invitations', {
      body: { email: 'elsewhere@example.com', role: 'member' },
    });
    await world.openAs(['admin'], '/members');
    const button = page.getByRole('button', { name: 'Revoke the invitation of elsewhere@example.com' });
    await button.click();
    await page.getByRole('dialog').waitFor();
    await closeDialog(page);
    await eventually(async () => expect(await page.evaluate(FOCUSED)).to.equal('Revoke'));
    await page.evaluate(FRAMES);
    // A place that takes no focus, as in the menu.
    const isNowhere = () => page.evaluate<boolean>('document.activeElement === document.body');
    await page.mouse.click(2, 2);
    await eventually(async () => expect(await isNowhere()).to.equal(true));
    await admin.request(`/invitations/${body.id}`, { method: 'DELETE' });
    await page.evaluate('{ const now = Date.now; Date.now = () => now() + 60_000; }');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    await button.waitFor({ state: 'detached' });
    await page.waitForTimeout(SETTLE_MS);
    expect(await isNowhere()).to.equal(true);
    await world.database.collections.invitations.deleteOne({ _id: body.id });
  });

  it('shows what was changed elsewhere once an action is refused because of it', async () => {
    const { page } = world;
    await world.openAs(['write'], `/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    const other = await world.as(['write']);
    await other.request(`/webhooks/${endpointId}`, { method: 'PATCH', body: { enabled: false } });
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('alert').getByText('The page of the endpoint enables it').waitFor();
    await page.getByText('Disabled by an operator').waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
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
    await closeDialog(page);
    await page.getByRole('button', { name: 'Revoke deploy <b>bot</b>' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Revoked').waitFor();
    await expectAccessible(page);
  });

  it('revokes a token together with the tokens that it created', async () => {
    const { page } = world;
    const creator = await world.as(['admin']);
    await creator.request('/api-tokens', { body: { name: 'child', scopes: ['read'] } });
    await world.database.collections.apiTokens.updateOne(
      { _id: creator.tokenId },
      { $set: { name: 'creator' } },
    );
    await world.openAs(['admin'], '/tokens');
    await page.getByRole('button', { name: 'Revoke creator' }).click();
    await page.getByText('Revoke these as well').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke creator' }).waitFor({ state: 'detached' });
    const child = await world.database.collections.apiTokens.findOne({ name: 'child' });
    expect(child?.revokedAt).to.be.instanceOf(Date);
  });

  it('makes a portal link for one endpoint, which opens as the customer', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/portal-links');
    await page.getByLabel('The customer may').selectOption('read');
    await page.getByLabel('Endpoints', { exact: true }).selectOption('chosen');
    const create = page.getByRole('button', { name: 'Create a link' });
    expect(await create.isDisabled(), 'without an endpoint').to.equal(true);
    await page.getByText('https://hooks.example.com/in').click();
    await create.click();
    const open = page.getByRole('link', { name: 'Open as the customer' });
    await open.waitFor();
    await expectAccessible(page);
    const url = (await open.getAttribute('href')) ?? '';
    const customer = await page.context().newPage();
    await customer.goto(url);
    await customer.getByRole('link', { name: 'Endpoints' }).click();
    await customer.getByRole('link', { name: 'https://hooks.example.com/in' }).waitFor();
    expect(customer.url()).to.not.include('token');
    expect(await customer.getByRole('link', { name: 'API tokens' }).count()).to.equal(0);
    expect(await customer.getByRole('link', { name: 'Create endpoint' }).count()).to.equal(0);
    await customer.close();
    await page.getByRole('button', { name: 'Revoke the link' }).click();
    await open.waitFor({ state: 'detached' });
  });

  it('lists portal links, and revokes one after its page was left', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/portal-links');
    const { portalLinks } = world.database.collections;
    const newest = () => portalLinks.findOne({ workspaceId: world.workspace.id }, { sort: { _id: -1 } });
    await page.getByRole('button', { name: 'Create a link' }).click();
    await page.getByRole('link', { name: 'Open as the customer' }).waitFor();
    const id = (await newest())?._id ?? '';
    await page.getByRole('row', { name: id }).getByText('Active').waitFor();
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await world.show('/portal-links');
    await page.getByRole('button', { name: `Revoke ${id}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: id }).getByText('Revoked').waitFor();
    await expectAccessible(page);
    expect((await newest())?.revokedAt).to.be.instanceOf(Date);
  });

  it('no longer offers a new link that was revoked in the list', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/portal-links');
    await page.getByRole('button', { name: 'Create a link' }).click();
    const open = page.getByRole('link', { name: 'Open as the customer' });
    await open.waitFor();
    await page
      .getByRole('button', { name: /^Revoke ptl_/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await open.waitFor({ state: 'detached' });
    await page.getByRole('row').getByText('Revoked').first().waitFor();
  });

  it('offers a customer who sees some endpoints no others, and replays for one of these', async () => {
    const { page } = world;
    const admin = await world.as(['admin']);
    const second = await createEndpoint(world, { url: 'https://second.example.com/' });
    const { body: link } = await admin.request<{ url: string }>('/portal-links', {
      body: { endpointIds: [endpointId, second] },
    });
    await page.goto('about:blank');
    await page.goto(link.url);
    await page.getByRole('link', { name: 'Endpoints' }).click();
    await page.getByRole('link', { name: 'https://second.example.com/' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create endpoint' }).count()).to.equal(0);
    await world.show('/endpoints/new');
    await page.getByText('You are not permitted to do this.').waitFor();
    await world.show('/replays/new');
    const count = page.getByRole('button', { name: 'Count the deliveries' });
    const endpoint = page.getByRole('combobox', { name: 'Endpoint' });
    await endpoint.waitFor();
    await expectAccessible(page);
    expect(await count.isDisabled()).to.equal(true);
    await endpoint.selectOption({ label: 'https://second.example.com/' });
    await count.click();
    await page.getByText('What would be replayed').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
    const { body: narrow } = await admin.request<{ url: string }>('/portal-links', {
      body: { scopes: ['event_type:list'] },
    });
    await page.goto('about:blank');
    await page.goto(narrow.url);
    await page.getByRole('heading', { name: 'Event types', level: 1 }).waitFor();
    expect(page.url()).to.match(/#\/event-types$/);
  });

  it('keeps chosen endpoints while others are searched for', async () => {
    const { page } = world;
    const admin = await world.as(['admin']);
    for (let n = 0; n < MANY; n++) {
      const url = n === MANY / 2 ? 'https://acme.example.com/' : `https://other-${n}.example.com/`;
      await admin.request('/webhooks', { body: { url, eventTypes: ['billing.plan_changed'] } });
    }
    await world.openAs(['admin'], '/portal-links');
    await page.getByLabel('Endpoints', { exact: true }).selectOption('chosen');
    const search = page.getByLabel('Search endpoints');
    const acme = page.getByRole('checkbox', { name: 'https://acme.example.com/' });
    const others = page.getByRole('checkbox', { name: 'https://other-' });
    await others.first().waitFor();
    expect(await acme.count()).to.equal(0);
    // Regression: a search that had not examined all endpoints yet said that none match.
    await page.route(/\/webhooks\?.*text=rare/, (route) => {
      const isFirst = !route.request().url().includes('cursor=');
      return route.fulfill({ json: { items: [], nextCursor: isFirst ? 'next' : null } });
    });
    await search.fill('rare');
    await page.getByText('Nothing found so far.').waitFor();
    expect(await page.getByText('No endpoints match.').count()).to.equal(0);
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('No endpoints match.').waitFor();
    await search.fill('acme');
    await page.getByText('https://acme.example.com/').click();
    // Regression: it created a link.
    await search.press('Enter');
    await search.fill('');
    await others.first().waitFor();
    expect(await acme.isChecked()).to.equal(true);
    await page
      .getByText(/other-\d+\./)
      .first()
      .click();
    expect(await page.getByRole('checkbox', { checked: true }).count()).to.equal(2);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create a link' }).click();
    await page.getByRole('link', { name: 'Open as the customer' }).waitFor();
    const { portalLinks } = world.database.collections;
    const newest = await portalLinks.findOne({ workspaceId: world.workspace.id }, { sort: { _id: -1 } });
    expect(newest?.endpointIds).to.have.length(2);
    for (const url of ['https://acme.example.com/', /other-\d+\./]) await page.getByText(url).first().click();
    expect(await page.getByRole('button', { name: 'Create a link' }).isDisabled()).to.equal(true);
    await page.getByRole('button', { name: 'Revoke the link' }).click();
    await page.getByRole('button', { name: 'Revoke the link' }).waitFor({ state: 'detached' });
  });

  it('invites, changes a role and removes a member', async () => {
    const { page } = world;
    await world.database.collections.members.insertOne({
      _id: newId('member'),
      workspaceId: world.workspace.id,
      email: 'ada@example.com',
      role: 'member',
    });
    await world.openAs(['admin'], '/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('grace@example.com');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText(/#\/invitations\/.*pri_/).waitFor();
    await closeDialog(page);
    await page.getByRole('button', { name: 'Revoke the invitation of grace@example.com' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: 'grace@example.com' }).getByText('Revoked').waitFor();
    await page.getByRole('button', { name: 'Change role of ada@example.com' }).click();
    await dialog.getByLabel('Role').selectOption('admin');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Admin' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove ada@example.com' }).click();
    // Regression: it said that the person loses access at once, but tokens stay valid.
    await dialog.getByText('API tokens and portal links stay valid').waitFor();
    // Regression: the error of an earlier attempt was shown when the dialog was opened again.
    const refusal = { tag: 'LastOwner', message: 'The workspace needs an owner.' };
    await page.route('**/members/*', (route) => route.fulfill({ status: 409, json: refusal }));
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('alert').waitFor();
    await page.unroute('**/members/*');
    await closeDialog(page);
    await page.getByRole('button', { name: 'Remove ada@example.com' }).click();
    await dialog.getByText('API tokens and portal links stay valid').waitFor();
    expect(await dialog.getByRole('alert').count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No members yet.').waitFor();
    // Regression: a token that cannot change roles was offered invitations that the api refuses.
    const admin = await world.as(['admin']);
    await admin.request('/invitations', { body: { email: 'boss@example.com', role: 'admin' } });
    await world.openAs(['write'], '/members');
    await page.getByRole('button', { name: 'Revoke the invitation of jo@example.com' }).waitFor();
    expect(await page.getByRole('button', { name: /invitation of boss@/ }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Invite' }).click();
    const roles = await dialog.getByLabel('Role').locator('option').allInnerTexts();
    expect(roles).to.deep.equal(['Viewer', 'Member']);
    await closeDialog(page);
  });

  it('makes who opens the link of an invitation a member, without a session', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('alan@example.com');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = (await dialog.getByText(/#\/invitations\/.*pri_/).textContent()) ?? '';
    await closeDialog(page);
    const asked: string[] = [];
    // A window of its own has no session.
    const context = await page.context().browser()?.newContext();
    const invited = await context?.newPage();
    if (invited === undefined) throw new Error('the browser has ended');
    invited.on('request', (request) => asked.push(request.url()));
    await invited.goto(link);
    await invited.getByText(`You have been invited to the workspace ${world.workspace.slug}.`).waitFor();
    await expectAccessible(invited);
    await invited.getByRole('button', { name: 'Accept the invitation' }).click();
    await invited.getByText('alan@example.com is now a member').waitFor();
    await expectAccessible(invited);
    expect(asked.join(' ')).to.not.include('pri_');
    // Regression: the page said of the link of another invitation that it was accepted, too.
    await invited.evaluate(`location.hash = location.hash.replace(/inv_[^/]+/, '${newId('invitation')}')`);
    await invited.getByRole('button', { name: 'Accept the invitation' }).waitFor();
    await invited.goBack();
    await invited.reload();
    await invited.getByRole('button', { name: 'Accept the invitation' }).click();
    await invited.getByText('The invitation is accepted.').waitFor();
    await context?.close();
    await page.reload();
    await page.getByRole('cell', { name: 'alan@example.com' }).first().waitFor();
    await page.getByRole('button', { name: 'Remove alan@example.com' }).waitFor();
  });

  it('filters the audit log by the address, and lists notifications', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/audit-log');
    await page.getByRole('cell', { name: 'webhook_endpoint.created' }).first().waitFor();
    await page.getByLabel('Action').selectOption('webhook_endpoint.secret_rotated');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('cell', { name: 'webhook_endpoint.created' }).first().waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'webhook_endpoint.secret_rotated' }).first().waitFor();
    expect(page.url()).to.include('action=webhook_endpoint.secret_rotated');
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByText('No notifications yet.').waitFor();
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
    await page.getByRole('heading', { name: 'Endpoints', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'https://other-' }).first().waitFor();
    expect(await page.getByRole('link', { name: 'https://hooks.example.com/in' }).count()).to.equal(0);
  });
});
