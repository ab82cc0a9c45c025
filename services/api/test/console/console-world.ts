import type { Scope } from '@postrider/shared/domain/permission';
import { eventually } from '@postrider/shared/testing/eventually';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { openBrowser } from '../browser.js';

/** An api with its console in a browser that can reach nothing else. */
export interface ConsoleWorld extends ApiWorld {
  readonly page: Page;
  readonly origin: string;
  /** Opens a page of the console as a new token with these scopes, as a portal link does. */
  openAs(scopes: readonly Scope[], address?: string): Promise<void>;
  /** Opens a page of the console in the same session, and waits until it has replaced the one before. */
  show(address: string): Promise<void>;
  /** Opens the console without a token. */
  open(): Promise<void>;
  /** Everything that must never appear: script errors, violations of the policy, requests to other hosts. */
  readonly problems: string[];
}

/** Long enough for a machine under load. */
const WAIT_MS = 15_000;

/** One browser for all files; it ends with the process. */
let sharedBrowser: Promise<Browser> | null = null;

export async function consoleWorld(env: Readonly<Record<string, string>> = {}): Promise<ConsoleWorld> {
  return openConsole(await apiWorld(env));
}

/** Opens a window that shares nothing with others of the browser. */
export async function openConsole(world: ApiWorld, host = '127.0.0.1'): Promise<ConsoleWorld> {
  sharedBrowser ??= openBrowser();
  const browser = await sharedBrowser;
  const origin = `http://${host}:${world.api.port}`;
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const show = async (address: string) => {
    const hash = JSON.stringify(`#${address}`);
    await page.evaluate(
      `if ((location.hash || '#/') !== ${hash}) { document.title = ''; location.hash = ${hash}; }`,
    );
    await untilTitled(page);
  };
  return {
    ...world,
    page,
    origin,
    problems: recordProblems(page, origin),
    async open() {
      await page.goto('about:blank');
      await page.goto(`${origin}/console/`);
    },
    async openAs(scopes, address = '/') {
      const { secret } = await world.as(scopes);
      await page.goto('about:blank');
      await page.goto(`${origin}/console/#token=${secret}`);
      await untilTitled(page);
      if (address !== '/') await show(address);
    },
    show,
    async destroy() {
      await context.close();
      await world.destroy();
    },
  };
}

/** Every page sets the title with its heading: `Members · Postrider`. */
async function untilTitled(page: Page): Promise<void> {
  await eventually(async () => expect(await page.title()).to.include(' · '));
}

/** The browser reports each response with an error status, which tests provoke. */
const EXPECTED =
  /^Failed to load resource: (the server responded with a status of (4|503)|net::ERR_INTERNET_DISCONNECTED)/;

function recordProblems(page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    const { protocol, origin: requested } = new URL(request.url());
    if (protocol !== 'blob:' && protocol !== 'about:' && requested !== origin) problems.push(request.url());
  });
  return problems;
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Fails with every violation of the accessibility rules. The contrast depends on the theme, so it is checked in both. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectNoViolations(page, RULES);
}

async function expectNoViolations(page: Page, runOnly: string[]): Promise<void> {
  // The document stays while pages change, and so does what was loaded into it.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options: RunOptions = { runOnly, resultTypes: ['violations'] };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
  ).to.deep.equal([]);
}
