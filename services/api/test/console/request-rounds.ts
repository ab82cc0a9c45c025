import type { Page, Request, Route } from 'playwright-core';

const API = '**/workspaces/**';
/** A stream is one request that does not end. */
const STREAM = /\/stream(\?|$)/;

/**
 * How many rounds of requests a page needs. Responses are held until the page asks for nothing more, then released
 * together. A request that is sent while others are held does not depend on them, whatever the network's speed.
 *
 * @returns the requests of each round
 */
export async function requestRounds(page: Page, open: () => Promise<unknown>): Promise<readonly string[][]> {
  const held: { readonly route: Route; readonly url: string }[] = [];
  const running = new Set<Request>();
  const hold = async (route: Route) => {
    const url = route.request().url();
    if (STREAM.test(url)) return route.continue();
    held.push({ route, url });
  };
  const started = (request: Request) => void running.add(request);
  const ended = (request: Request) => void running.delete(request);
  page.on('request', started).on('requestfinished', ended).on('requestfailed', ended);
  await page.route(API, hold);
  const rounds: string[][] = [];
  try {
    // Every page sets it with its heading.
    await page.evaluate("document.title = ''");
    await open();
    for (;;) {
      await quiet(
        page,
        () => held.length + [...running].filter((request) => STREAM.test(request.url())).length,
        running,
      );
      if (held.length === 0) {
        if ((await page.title()) === '') continue;
        return rounds;
      }
      const released = held.splice(0);
      rounds.push(released.map(({ url }) => url));
      await Promise.all(released.map(({ route }) => route.continue()));
      await Promise.all(released.map(({ route }) => route.request().response()));
    }
  } finally {
    await page.unroute(API, hold);
    // A request of a page that took longer than expected must not wait for ever.
    await Promise.all(held.map(({ route }) => route.continue()));
    page.off('request', started).off('requestfinished', ended).off('requestfailed', ended);
  }
}

/** Idle turns of the page without a change. */
const QUIET_TURNS = 3;

/** Waits until the page is idle and nothing runs but what is held or streamed. */
async function quiet(page: Page, waiting: () => number, running: ReadonlySet<Request>): Promise<void> {
  let before = -1;
  for (let turns = 0; turns < QUIET_TURNS; ) {
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve(null)))');
    const isQuiet = running.size === waiting() && running.size === before;
    before = running.size;
    turns = isQuiet ? turns + 1 : 0;
  }
}
