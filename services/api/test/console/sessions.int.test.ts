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

  it('forget a token that is no longer valid', async () => {
    const { page } = world;
    const { secret, tokenId } = await world.as(['read']);
    await world.open();
    await page.evaluate('sessionStorage.clear()');
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
    await page.reload();
    await shows(world.workspace.slug);
  });
});
