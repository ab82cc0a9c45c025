import { toDeliveryDocument } from '@postrider/shared/mongo/documents';
import type { Page } from 'playwright-core';
import { deliveryRow } from '../delivery-row.js';
import { type ConsoleWorld, consoleWorld } from './console-world.js';
import { insertDemoData } from './demo-data.js';

/** What a page does until a person can use it, in the page's own time. */
interface Start {
  readonly interactiveMs: number;
  readonly scriptKb: number;
}

interface Scroll {
  readonly framesPerSecond: number;
  /** CPU of the page's main thread for a frame, in milliseconds; it depends less on other load than the frames do. */
  readonly frameMs: number;
}

const DEFAULT_RUNS = 5;
const ROWS = 10_000;
const SCROLL_MS = 5_000;
/** Three screens a second. */
const PIXELS_PER_S = 2_400;
const LOADING_MS = 120_000;

const runs = Number(process.argv[2] ?? DEFAULT_RUNS);
const world = await consoleWorld({ RATE_LIMIT_REST_READ: '0' });
const { healthy } = await insertDemoData(world);
const starts: Start[] = [];
for (let run = 0; run < runs; run++) starts.push(await measureStart(world));
const scrolls: Scroll[] = [];
await openLongTable(world, healthy);
for (let run = 0; run < runs; run++) scrolls.push(await measureScroll(world.page));
process.stdout.write(`${tableOf(starts, scrolls)}\n`);
await world.destroy();
process.exit(0);

/** Opens the overview in a context of its own, so that nothing is cached. */
async function measureStart({ page, origin, as }: ConsoleWorld): Promise<Start> {
  const { secret } = await as(['admin']);
  const context = await page.context().browser()?.newContext();
  if (context === undefined) throw new Error('the browser has ended');
  const fresh = await context.newPage();
  await fresh.addInitScript(`
    window.interactive = new Promise((resolve) => {
      const look = () => document.querySelector('main h1') && document.querySelector('nav a')
        ? requestAnimationFrame(() => resolve(performance.now()))
        : requestAnimationFrame(look);
      look();
    });`);
  await fresh.goto(`${origin}/console/#token=${secret}`);
  const found = await fresh.evaluate<Start>(`window.interactive.then((interactiveMs) => ({
    interactiveMs,
    scriptKb: performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024,
  }))`);
  await context.close();
  return found;
}

/** Loads every row by scrolling to the end until there are no more. */
async function openLongTable(
  { page, openAs, database, workspace }: ConsoleWorld,
  endpointId: string,
): Promise<void> {
  await database.collections.deliveries.deleteMany({});
  const rows = Array.from({ length: ROWS }, (_, n) =>
    deliveryRow({
      workspaceId: workspace.id,
      endpointId,
      status: n % 9 === 0 ? 'dead_lettered' : 'delivered',
      createdAt: new Date(Date.now() - n * 1_000),
    }),
  );
  await database.collections.deliveries.insertMany(rows.map(toDeliveryDocument));
  await openAs(['admin'], '/deliveries');
  await page.locator('table[aria-rowcount]').waitFor();
  const scrolling = page.evaluate(`new Promise((resolve) => {
    const step = () => {
      const table = document.querySelector('table');
      const scroller = table.parentElement;
      scroller.scrollTop = scroller.scrollHeight;
      if (Number(table.getAttribute('aria-rowcount')) > ${ROWS}) resolve(null);
      else setTimeout(step, 20);
    };
    step();
  })`);
  const tooLong = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the rows are not loaded')), LOADING_MS).unref();
  });
  await Promise.race([scrolling, tooLong]);
}

/** Scrolls evenly and counts the frames that are drawn. */
async function measureScroll(page: Page): Promise<Scroll> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const usedMs = async () => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    return 1_000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  };
  const before = await usedMs();
  const { frames, ms } = await page.evaluate<{ frames: number; ms: number }>(`new Promise((resolve) => {
    const scroller = document.querySelector('table').parentElement;
    scroller.scrollTop = 0;
    const start = performance.now();
    let frames = 0;
    const step = (now) => {
      frames += 1;
      scroller.scrollTop = (now - start) * ${PIXELS_PER_S / 1_000};
      if (now - start < ${SCROLL_MS}) requestAnimationFrame(step);
      else resolve({ frames, ms: now - start });
    };
    requestAnimationFrame(step);
  })`);
  const used = (await usedMs()) - before;
  await protocol.detach();
  return { framesPerSecond: (frames * 1_000) / ms, frameMs: used / frames };
}

function tableOf(starts: readonly Start[], scrolls: readonly Scroll[]): string {
  const cells = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return `${middle.toFixed(0)} (${sorted[0]?.toFixed(0)}–${sorted.at(-1)?.toFixed(0)})`;
  };
  return [
    `| ${starts.length} runs | median (least–most) | goal |`,
    '|---|--:|--:|',
    `| first load, nothing cached: interactive, ms | ${cells(starts.map(({ interactiveMs }) => interactiveMs))} | < 1,000 |`,
    `| scripts of the first load, compressed, KB | ${cells(starts.map(({ scriptKb }) => scriptKb))} | ≤ 250 |`,
    `| scrolling ${ROWS.toLocaleString('en')} deliveries, frames a second | ${cells(scrolls.map(({ framesPerSecond }) => framesPerSecond))} | ≥ 50 |`,
    `| CPU of the page for a frame of that, ms | ${cells(scrolls.map(({ frameMs }) => frameMs))} | < 20 |`,
  ].join('\n');
}
