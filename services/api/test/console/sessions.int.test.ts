import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { hasBrowser } from '../browser.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { sharedConsoleWorld } from './shared-console-world.js';

describe('console: sessions', () => {
  let world: ConsoleWorld;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
  });
  /** From a page without the console, which would store its tokens again. */
  beforeEach(async () => {
    await world.page.context().setOffline(false);
    await world.page.goto(`${world.origin}/openapi.json`);
    await world.page.evaluate('sessionStorage.clear()');
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  const signIn = async (secret: string) => {
    await world.page.getByLabel('API token').fill(secret);
    await world.page.getByRole('button', { name: 'Sign in' }).click();
  };
  const workspaces = () => world.page.getByRole('combobox', { name: 'Workspace' });
  const shows = (slug: string) =>
    eventually(async () => expect(await workspaces().inputValue()).to.equal(slug));

  it('keep a token over a reload while the server is unavailable', async () => {
    const { page } = world;
    await world.open();
    await signIn((await world.as(['read'])).secret);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByText('No members yet.').waitFor();
    await page.route('**/session', (route) => route.fulfill({ status: 503, body: '' }));
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unroute('**/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No members yet.').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
  });

  it('do not begin with a token that is not valid, and say what to check', async () => {
    await world.open();
    await signIn('prt_unknown');
    const alert = world.page.getByRole('alert');
    await alert.getByText('The token is not valid').waitFor();
    await alert.getByText('Check that the whole token was copied').waitFor();
    expect(await alert.innerText()).to.not.include('Bearer');
    // Regression: a token with typographic quotes was a server that did not respond.
    const { secret } = await world.as(['read']);
    const answered = world.page.waitForResponse('**/session');
    await signIn(`\u201c${secret}\u201d`);
    expect((await answered).status()).to.equal(401);
    await alert.getByText('The token is not valid').waitFor();
  });

  it('forget a token that is no longer valid', async () => {
    const { page } = world;
    const { secret, tokenId } = await world.as(['read']);
    await world.open();
    await signIn(secret);
    await page.getByRole('link', { name: 'Members' }).waitFor();
    await world.database.collections.apiTokens.updateOne(
      { _id: tokenId },
      { $set: { revokedAt: new Date() } },
    );
    await page.reload();
    await page.getByLabel('API token').waitFor();
    expect(await page.evaluate('sessionStorage.getItem("postrider.tokens")')).to.equal('[]');
  });

  it('show the same workspace after a reload', async () => {
    const { page } = world;
    const other = await world.addWorkspace(`${world.workspace.slug}-b`);
    await world.open();
    await signIn((await world.as(['read'])).secret);
    await page.getByRole('button', { name: 'Add workspace' }).click();
    await signIn((await world.as(['read'], { workspace: other })).secret);
    await shows(other.slug);
    await workspaces().selectOption(world.workspace.slug);
    await eventually(async () =>
      expect(await page.evaluate('sessionStorage.getItem("postrider.workspace")')).to.equal(
        world.workspace.slug,
      ),
    );
    await page.reload();
    await shows(world.workspace.slug);
  });

  it('leave what another workspace does not have, when it is shown, added or remains', async () => {
    const { page } = world;
    const first = await world.addWorkspace(`${world.workspace.slug}-first`);
    const admin = await world.as(['admin'], { workspace: first });
    const { body } = await admin.request<{ id: string }>('/webhooks', {
      body: { url: 'https://hooks.example.com/first', eventTypes: ['billing.plan_changed'] },
    });
    const other = await world.addWorkspace(`${world.workspace.slug}-other`);
    const { secret } = await world.as(['admin'], { workspace: other });
    const openEndpoint = async () => {
      await world.show(`/endpoints/${body.id}`);
      await page.getByRole('region', { name: 'Settings' }).waitFor();
    };
    const expectItsEndpoints = async () => {
      await shows(other.slug);
      await page.getByText('No endpoints yet.').waitFor();
      expect(await page.getByRole('alert').count()).to.equal(0);
      expect(page.url()).to.match(/#\/endpoints$/);
    };
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await world.open();
    await signIn(admin.secret);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await openEndpoint();
    await page.getByRole('button', { name: 'Add workspace' }).click();
    await signIn(secret);
    await expectItsEndpoints();
    await workspaces().selectOption(first.slug);
    await page.getByRole('link', { name: 'https://hooks.example.com/first' }).waitFor();
    await openEndpoint();
    await workspaces().selectOption(other.slug);
    await expectItsEndpoints();
    await workspaces().selectOption(first.slug);
    await openEndpoint();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expectItsEndpoints();
    expect(asked.filter((url) => url.includes(`${other.slug}/webhooks/${body.id}`))).to.deep.equal([]);
  });

  it('keep a portal link over a reload, until it has ended', async () => {
    const { page, origin } = world;
    const { secret, tokenId } = await world.as(['read']);
    // Regression: a reload before the answer had forgotten the link.
    await page.route('**/session', () => {});
    const asked = page.waitForRequest('**/session');
    await page.goto(`${origin}/console/#token=${secret}`);
    await asked;
    await page.unroute('**/session');
    await page.reload();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByText('No members yet.').waitFor();
    await page.reload();
    await page.getByText('No members yet.').waitFor();
    await world.database.collections.apiTokens.updateOne(
      { _id: tokenId },
      { $set: { revokedAt: new Date() } },
    );
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByText('This link is no longer valid.').waitFor();
    await page.reload();
    await page.getByText('This link is no longer valid.').waitFor();
    expect(await page.evaluate('sessionStorage.getItem("postrider.tokens")')).to.equal('[]');
  });

  it('remain when the script of a page does not arrive', async () => {
    const { page, origin } = world;
    await page.goto(`${origin}/console/#token=${(await world.as(['read'])).secret}`);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.evaluate('window.isSameDocument = true');
    // Of a page that no other test has opened, so that the browser does not have it.
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Signature check' }).click();
    await page.getByText('This page could not be loaded.').waitFor();
    // The attempt looks whether the server responds, and must not find the network again.
    const checked = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD');
    await page.getByRole('button', { name: 'Try again' }).click();
    await checked;
    await page.getByText('This page could not be loaded.').waitFor();
    expect(await page.evaluate('window.isSameDocument')).to.equal(true);
    await page.context().setOffline(false);
    // Chromium keeps a failed script in the document, so this loads the document again.
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Signature check', level: 1 }).waitFor();
  });

  it('remain when an upgrade has replaced the script of a page, which another attempt then loads', async () => {
    const { page, origin } = world;
    const script = '**/assets/audit-log-page-*.js';
    await page.route(script, (route) => route.fulfill({ status: 404, body: '' }));
    await page.goto(`${origin}/console/#token=${(await world.as(['read'])).secret}`);
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.evaluate('window.isSameDocument = true');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('This page could not be loaded.').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate('window.isSameDocument')).to.equal(true);
    // The document of the new version names another script.
    await page.route('**/console/', async (route) => {
      if (route.request().method() === 'GET') await page.unroute(script);
      await route.continue();
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No entries match.').waitFor();
    await page.unroute('**/console/');
    expect(await page.evaluate('window.isSameDocument')).to.equal(undefined);
  });

  it('take a portal link that is opened where the console is loaded', async () => {
    const { page, origin } = world;
    const other = await world.addWorkspace(`${world.workspace.slug}-link`);
    const { secret } = await world.as(['read'], { workspace: other });
    await world.openAs(['read'], '/members');
    await page.evaluate('window.isSameDocument = true');
    await page.goto(`${origin}/console/#token=${secret}`);
    await shows(other.slug);
    expect(page.url()).to.not.include('token');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(page.url()).to.not.include('token');
    expect(await page.evaluate('window.isSameDocument')).to.equal(true);
  });

  // Regression: the API token was gone.
  it('ask before a portal link replaces a sign-in to the same workspace', async () => {
    const { page, origin } = world;
    const typed = (await world.as(['admin'])).secret;
    const linked = (await world.as(['read'])).secret;
    const stored = () => page.evaluate<string>('sessionStorage.getItem("postrider.tokens")');
    await world.open();
    await signIn(typed);
    await page.getByRole('link', { name: 'Members' }).click();
    const question = page.getByRole('dialog', { name: 'Replace your sign-in?' });
    const openLink = async (answer: string) => {
      await page.goto(`${origin}/console/#token=${linked}`);
      await question.waitFor();
      expect(page.url()).to.match(/#\/members$/);
      await expectAccessible(page);
      await question.getByRole('button', { name: answer }).click();
      await question.waitFor({ state: 'detached' });
    };
    await openLink('Keep the sign-in');
    await page.getByText('No members yet.').waitFor();
    expect(await stored())
      .to.include(typed)
      .and.not.include(linked);
    await openLink('Open the link');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await stored())
      .to.include(linked)
      .and.not.include(typed);
  });

  for (const token of ['prt_unknown', '%'])
    it(`remain when a portal link is not valid: ${token}`, async () => {
      const { page, origin } = world;
      await world.openAs(['read'], '/members');
      await page.goto(`${origin}/console/#token=${token}`);
      await page.getByRole('alert').getByText('This link is no longer valid.').waitFor();
      await page.getByText('Ask for a new one.').waitFor();
      await page.getByText('No members yet.').waitFor();
      expect(await page.getByRole('alert').innerText()).to.not.match(/token|Bearer/i);
      expect(page.url()).to.not.include('token');
      await shows(world.workspace.slug);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    });
});
