import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import type { WorkspaceOverview } from '../../src/contract/workspace.js';
import { METHODS } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { hasBrowser, openBrowser } from '../browser.js';

describe('API reference in a browser without network', () => {
  let world: ApiWorld;
  let origin: string;
  let browser: Browser;
  let page: Page;
  const consoleErrors: string[] = [];
  const externalRequests: string[] = [];

  before(async function () {
    if (!hasBrowser) this.skip();
    world = await apiWorld();
    origin = `http://127.0.0.1:${world.api.port}`;
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1400, height: 1000 } });
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text());
    });
    page.on('pageerror', (error) => consoleErrors.push(String(error)));
    page.on('request', (request) => {
      const { protocol, host } = new URL(request.url());
      if (!LOCAL.has(protocol) && `http://${host}` !== origin) externalRequests.push(request.url());
    });
    await page.goto(`${origin}/reference`);
  });
  after(async () => {
    await browser?.close();
    await world?.destroy();
  });
  afterEach(() => {
    expect(consoleErrors, 'errors in the console').to.deep.equal([]);
    expect(externalRequests, 'requests to other hosts').to.deep.equal([]);
  });

  const LOCAL = new Set(['data:', 'blob:']);

  it('lists every operation', async () => {
    const closed = page.getByRole('button', { name: 'Open Group' });
    await closed.first().waitFor();
    while ((await closed.count()) > 0) await closed.first().click();
    const listed = await page.locator('body').innerText();
    const summaries = Object.values(readDocument().paths).flatMap((item) =>
      METHODS.flatMap((method) => item[method]?.summary ?? []),
    );
    expect(summaries).to.have.length.greaterThan(10);
    for (const summary of summaries) expect(listed).to.include(summary);
  });

  it('sends a request with an entered token and shows the response', async () => {
    const { secret, tokenId } = await world.as(['read']);
    await page.getByPlaceholder('Token').first().fill(secret);
    await page
      .getByRole('button', { name: /Test Request.*overview/ })
      .first()
      .click();
    const responded = page.waitForResponse(`${origin}/workspaces/acme/overview`);
    await page.getByRole('dialog').getByRole('button', { name: 'Send Request' }).click();
    const response = await responded;
    expect(response.status()).to.equal(200);
    const overview: WorkspaceOverview = await response.json();
    expect(overview).to.deep.include({ slug: 'acme', plan: 'free' });
    await page.getByRole('dialog').getByText('200 OK').first().waitFor();
    await page.getByRole('dialog').getByText('"successRate"').first().waitFor();
    expect(world.log.lines.at(-1)!.facts).to.include({
      operation: 'get_workspace_overview',
      actorId: tokenId,
    });
  });

  it('keeps the token in memory only', async () => {
    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(stored).to.not.include('prt_');
    expect(await page.context().cookies()).to.be.empty;
  });
});
