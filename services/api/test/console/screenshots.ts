import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { type ConsoleWorld, consoleWorld } from './console-world.js';
import { type DemoData, insertDemoData } from './demo-data.js';
import { insertDemoStats } from './demo-stats.js';

/** The pages of docs/console.md. */
const DOCUMENTED: Readonly<Record<string, (demo: DemoData) => string>> = {
  overview: () => '/',
  endpoints: () => '/endpoints',
  'first-steps': () => '/endpoints/new',
  deliveries: () => '/deliveries',
  delivery: ({ retrying }) => `/deliveries/${retrying}`,
  replay: ({ failing }) => `/replays/new?endpointId=${failing}`,
};
const OTHERS: typeof DOCUMENTED = {
  endpoint: ({ failing }) => `/endpoints/${failing}`,
  disabled: ({ disabled }) => `/endpoints/${disabled}`,
  replays: () => '/replays',
  'event-types': () => '/event-types',
  notifications: () => '/notifications',
  members: () => '/members',
  tokens: () => '/tokens',
  'portal-links': () => '/portal-links',
  'audit-log': () => '/audit-log',
  'signature-check': () => '/signature-check',
};
const WIDTHS = [320, 1_280, 2_560];
const THEMES = ['light', 'dark'] as const;
/** Pages are loaded lazily, so an address can change before its page appears. */
const SETTLE_MS = 500;

const [directory = 'docs/console', which = 'documented'] = process.argv.slice(2);
const world = await consoleWorld();
world.catalogue.set([anEventType()]);
const demo = await insertDemoData(world);
await insertDemoStats(world);
await mkdir(directory, { recursive: true });
if (which === 'documented') {
  await take(world, { pages: DOCUMENTED, width: 1_280, theme: 'light', suffix: '' });
} else {
  for (const theme of THEMES) {
    for (const width of WIDTHS) {
      const pages = { ...DOCUMENTED, ...OTHERS };
      await take(world, { pages, width, theme, suffix: `-${width}-${theme}` });
    }
  }
}
await world.destroy();
process.exit(0);

interface Look {
  readonly pages: typeof DOCUMENTED;
  readonly width: number;
  readonly theme: (typeof THEMES)[number];
  readonly suffix: string;
}

async function take({ page, openAs, origin }: ConsoleWorld, { pages, width, theme, suffix }: Look) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height: 860 });
  await openAs(['admin']);
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(`${origin}/console/#${address(demo)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(SETTLE_MS);
    await page.screenshot({ path: join(directory, `${name}${suffix}.png`) });
  }
}
