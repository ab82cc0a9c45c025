import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { DOCUMENTED_PAGES, PAGES, type PageAddress } from './console-pages.js';
import { type ConsoleWorld, consoleWorld } from './console-world.js';
import { insertDemoData } from './demo-data.js';
import { insertDemoStats } from './demo-stats.js';
import { palettePng } from './palette-png.js';

/** The demo deliveries have counts of their own. */
const DAY_HOURS = 24;
const WIDTHS = [320, 768, 1_280, 2_560];
const THEMES = ['light', 'dark'] as const;
/** Pages are loaded lazily, so an address can change before its page appears. */
const SETTLE_MS = 500;

const [directory = 'docs/console', which = 'documented'] = process.argv.slice(2);
const world = await consoleWorld();
world.catalogue.set([anEventType()]);
const demo = await insertDemoData(world);
await insertDemoStats(world, DAY_HOURS);
await mkdir(directory, { recursive: true });
if (which === 'documented') {
  await take(world, { pages: DOCUMENTED_PAGES, width: 1_280, theme: 'light', suffix: '' });
} else {
  for (const theme of THEMES) {
    for (const width of WIDTHS) {
      await take(world, { pages: PAGES, width, theme, suffix: `-${width}-${theme}` });
    }
  }
}
await world.destroy();
process.exit(0);

interface Look {
  readonly pages: Readonly<Record<string, PageAddress>>;
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
    await writeFile(join(directory, `${name}${suffix}.png`), palettePng(await page.screenshot()));
  }
}
