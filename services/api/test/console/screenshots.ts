import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { type ConsoleWorld, consoleWorld } from './console-world.js';
import { type DemoData, insertDemoData } from './demo-data.js';

const [directory = 'docs/console'] = process.argv.slice(2);
/** Comma-separated; by default what the documentation shows. */
const { SCREENSHOT_WIDTHS = '1280', SCREENSHOT_THEMES = 'light', SCREENSHOT_PAGES } = process.env;

const PAGES: Readonly<Record<string, (demo: DemoData) => string>> = {
  overview: () => '/',
  endpoints: () => '/endpoints',
  endpoint: ({ failing }) => `/endpoints/${failing}`,
  deliveries: () => '/deliveries',
  delivery: ({ retrying }) => `/deliveries/${retrying}`,
  replays: () => '/replays',
  'replay-new': ({ failing }) => `/replays/new?endpointId=${failing}`,
  'event-types': () => '/event-types',
  notifications: () => '/notifications',
  members: () => '/members',
  tokens: () => '/tokens',
  'portal-links': () => '/portal-links',
  'audit-log': () => '/audit-log',
  'signature-check': () => '/signature-check',
};

/** Pages are loaded lazily, so an address can change before its page appears. */
const SETTLE_MS = 400;

const world = await consoleWorld();
world.catalogue.set([anEventType()]);
const demo = await insertDemoData(world);
await mkdir(directory, { recursive: true });
for (const theme of SCREENSHOT_THEMES.split(',')) {
  await world.page.emulateMedia({
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce',
  });
  for (const width of SCREENSHOT_WIDTHS.split(',').map(Number)) await takeAll(world, { theme, width });
}
await world.destroy();
process.exit(0);

async function takeAll({ page, openAs, origin }: ConsoleWorld, look: { theme: string; width: number }) {
  await page.setViewportSize({ width: look.width, height: look.width < 600 ? 900 : 860 });
  await openAs(['admin']);
  for (const [name, address] of Object.entries(PAGES)) {
    if (SCREENSHOT_PAGES !== undefined && !SCREENSHOT_PAGES.split(',').includes(name)) continue;
    await page.goto(`${origin}/console/#${address(demo)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: join(directory, `${name}-${look.width}-${look.theme}.png`) });
  }
}
