import AxeBuilder from '@axe-core/playwright';
import type { Scope } from '@postrider/shared/domain/permission';
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
  /** Opens the console without a token. */
  open(): Promise<void>;
  /** Everything that must never appear: script errors, violations of the policy, requests to other hosts. */
  readonly problems: string[];
}

/** Long enough for a machine under load. */
const WAIT_MS = 15_000;

export async function consoleWorld(): Promise<ConsoleWorld> {
  const world = await apiWorld();
  const origin = `http://127.0.0.1:${world.api.port}`;
  const browser = await openBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT_MS);
  const problems = recordProblems(page, origin);
  return {
    ...world,
    page,
    origin,
    problems,
    async open() {
      await page.goto('about:blank');
      await page.goto(`${origin}/console/`);
    },
    async openAs(scopes, address = '/') {
      const { secret } = await world.as(scopes);
      await page.goto('about:blank');
      await page.goto(`${origin}/console/#token=${secret}`);
      await page.getByRole('navigation').waitFor();
      if (address !== '/') await page.goto(`${origin}/console/#${address}`);
    },
    destroy: () => closeAll(world, browser),
  };
}

async function closeAll(world: ApiWorld, browser: Browser): Promise<void> {
  await browser.close();
  await world.destroy();
}

/** The browser reports each response with an error status, which tests provoke. */
const EXPECTED = /^Failed to load resource: the server responded with a status of 4/;

function recordProblems(page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { protocol, origin: requested } = new URL(request.url());
    if (protocol !== 'blob:' && protocol !== 'about:' && requested !== origin) problems.push(request.url());
  });
  return problems;
}

/** Fails with every serious violation of the accessibility rules, contrast included. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`),
  ).to.deep.equal([]);
}
