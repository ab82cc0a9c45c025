import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { DOCUMENTED_PAGES, PAGES, type PageAddress } from './console-pages.js';
import { type ConsoleWorld, consoleWorld } from './console-world.js';
import { insertDemoData } from './demo-data.js';
import { insertDemoStats } from './demo-stats.js';
import { webpScreenshot } from './webp-screenshot.js';

/** The demo deliveries have counts of their own. */
const DAY_HOURS = 24;
const WIDTHS = [320, 768, 1_280, 2_560];
const THEMES = ['light', 'dark'] as const;
/** A page asks for its data after it has appeared. */
const SETTLE_MS = 500;

const [directory = 'docs/console', which = 'documented'] = process.argv.slice(2);
const world = await consoleWorld();
world.catalogue.set([anEventType()]);
const demo = await insertDemoData(world);
await insertDemoStats(world, DAY_HOURS);
await mkdir(directory, { recursive: true });
if (which === 'documented') {
  await take(world, { pages: DOCUMENTED_PAGES, width: 1_280, height: 860, theme: 'light', suffix: '' });
} else {
  for (const theme of THEMES) {
    for (const width of WIDTHS) {
      await take(world, { pages: PAGES, width, height: 1_400, theme, suffix: `-${width}-${theme}` });
    }
  }
}
await world.destroy();
process.exit(0);

interface Look {
  readonly pages: Readonly<Record<string, PageAddress>>;
  readonly width: number;
  readonly height: number;
  readonly theme: (typeof THEMES)[number];
  readonly suffix: string;
}

async function take({ page, openAs, show }: ConsoleWorld, { pages, width, height, theme, suffix }: Look) {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.setViewportSize({ width, height });
  await openAs(['admin']);
  for (const [name, address] of Object.entries(pages)) {
    await show(address(demo));
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(SETTLE_MS);
    await writeFile(join(directory, `${name}${suffix}.webp`), await webpScreenshot(page));
  }
}
