import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Locator, Page, Route } from 'playwright-core';
import { hasBrowser } from '../browser.js';
import { closeDialog } from './close-dialog.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

/** A place that no dialog covers. */
const OUTSIDE = [4, 4] as const;

describe('console: values that are shown once', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    endpointId = await createEndpoint(world);
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  /** Tries to close the dialog while the POST is in progress, and afterwards beside it. */
  const expectKept = async (dialog: Locator, submit: string, value: RegExp) => {
    const { page } = world;
    const release = await holdPosts(page);
    await dialog.getByRole('button', { name: submit }).click();
    await release.held;
    await dialog.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' });
    await dialog.focus();
    await page.keyboard.press('Escape');
    await page.mouse.click(...OUTSIDE);
    await release.all();
    await dialog.getByText(value).waitFor();
    await expectAccessible(page);
    await page.mouse.click(...OUTSIDE);
    expect(await dialog.getByText(value).isVisible(), 'after a press outside').to.equal(true);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  };

  it('a new secret is not lost while it is created, nor by a press beside it', async () => {
    const { page } = world;
    await world.openAs(['admin'], `/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await expectKept(page.getByRole('dialog'), 'Rotate secret', /^whsec_/);
  });

  it('a token is not lost while it is created, nor by a press beside it, and the next form is empty', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/tokens');
    await page.getByRole('button', { name: 'Create token' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('deploy');
    await expectKept(page.getByRole('dialog'), 'Create token', /^prt_/);
    await page.getByRole('button', { name: 'Create token' }).click();
    expect(await name.inputValue()).to.equal('');
    await closeDialog(page);
  });

  it('the link of an invitation is not lost while it is created, nor by a press beside it', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByLabel('E-mail').fill('jo@example.com');
    await expectKept(page.getByRole('dialog'), 'Invite', /#\/invitations\/.*pri_/);
  });

  it('leaving the page asks first while a secret is created, and until it is copied', async () => {
    const tab = await world.page.context().newPage();
    const asked: string[] = [];
    tab.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await tab.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.origin });
    const { secret: token } = await world.as(['admin']);
    await tab.goto(`${world.origin}/console/#token=${token}`);
    await tab.getByRole('heading', { name: 'Overview' }).waitFor();
    await tab.getByRole('link', { name: 'Endpoints', exact: true }).click();
    await tab.getByRole('link', { name: 'https://hooks.example.com/in' }).click();
    const release = await holdPosts(tab);
    await tab.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = tab.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await release.held;
    await tab.evaluate('void setTimeout(() => location.reload())');
    await eventually(() => expect(asked).to.deep.equal(['beforeunload']));
    await tab.evaluate('history.back()');
    await stay(tab);
    await release.all();
    const secret = dialog.getByText(/^whsec_/);
    await secret.waitFor();
    await tab.evaluate('history.back()');
    await stay(tab);
    expect(await secret.isVisible(), 'after leaving was refused').to.equal(true);
    expect(tab.url()).to.include(endpointId);
    await dialog.getByRole('button', { name: 'Copy the secret' }).click();
    await dialog.getByRole('button', { name: 'Copied' }).waitFor();
    await tab.evaluate('history.back()');
    await tab.getByRole('heading', { name: 'Endpoints', exact: true }).waitFor();
    expect(await tab.getByRole('dialog').count()).to.equal(0);
    expect(asked).to.have.length(1);
    await tab.close();
  });

  // Regression: a sign-out that was refused happened with the next navigation.
  it('a portal link is not lost while it is created, nor by signing out before it is copied', async () => {
    const { page } = world;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.origin });
    await world.openAs(['admin'], '/members');
    const go = (name: string) => page.getByRole('link', { name, exact: true }).click();
    const signOut = () => page.getByRole('button', { name: 'Sign out' }).click();
    await go('Portal links');
    const release = await holdPosts(page);
    await page.getByRole('button', { name: 'Create a link' }).click();
    await release.held;
    await go('Members');
    await stay(page);
    await release.all();
    const link = page.getByText(/#token=prt_/);
    await link.waitFor();
    await signOut();
    await expectAccessible(page);
    await stay(page);
    expect(await link.isVisible(), 'after signing out was refused').to.equal(true);
    // Regression: a link that was opened in the tab replaced the page without a question.
    await page.goto(`${world.origin}/console/#token=${(await world.as(['read'])).secret}`);
    await stay(page);
    expect(await link.isVisible(), 'after another link was refused').to.equal(true);
    expect(page.url()).to.match(/#\/portal-links$/);
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await go('Members');
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await go('Portal links');
    await page.getByRole('button', { name: 'Create a link' }).click();
    await link.waitFor();
    await signOut();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.getByLabel('API token').waitFor();
  });

  // Regression: the question remained, and its refusal made the browser ignore the next step back.
  it('the question ends when the page is shown again, and later steps back are asked about', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/members');
    await page.getByRole('link', { name: 'Portal links', exact: true }).click();
    await page.getByRole('button', { name: 'Create a link' }).click();
    const link = page.getByText(/#token=prt_/);
    await link.waitFor();
    const question = page.getByRole('dialog', { name: 'Leave the page?' });
    await page.evaluate('history.back()');
    await question.waitFor();
    await page.evaluate('history.forward()');
    await question.waitFor({ state: 'detached' });
    expect(await link.isVisible(), 'after back and forward').to.equal(true);
    await page.evaluate('history.back()');
    await stay(page);
    expect(await link.isVisible(), 'after leaving was refused').to.equal(true);
    expect(page.url()).to.include('#/portal-links');
    await page.evaluate('history.back()');
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    expect(page.url()).to.include('#/members');
  });

  it('a dialog that has failed keeps what was entered, until it is closed', async () => {
    const { page } = world;
    await world.openAs(['admin'], '/members');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill('no address');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('alert').first().waitFor();
    // Regression: both discarded it.
    await page.mouse.click(...OUTSIDE);
    await page.keyboard.press('Escape');
    expect(await dialog.getByLabel('E-mail').inputValue()).to.equal('no address');
    await closeDialog(page);
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.waitFor();
    await page.mouse.click(...OUTSIDE);
    await dialog.waitFor({ state: 'detached' });
  });
});

/** Refuses to leave the page when the console asks. */
async function stay(page: Page) {
  const question = page.getByRole('dialog', { name: 'Leave the page?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await question.waitFor({ state: 'detached' });
}

/** Keeps POSTs until they are released; `held` resolves with the first one. */
async function holdPosts(page: Page) {
  const routes: Route[] = [];
  const first = Promise.withResolvers<void>();
  const pattern = '**/workspaces/**';
  await page.route(pattern, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    routes.push(route);
    first.resolve();
  });
  return {
    held: first.promise,
    async all() {
      await Promise.all(routes.map((route) => route.continue()));
      await page.unroute(pattern);
    },
  };
}
