import type { Page } from 'playwright-core';

const QUALITY = 80;

/** What the page shows, as WebP: smaller than PNG, and the browser encodes it itself. */
export async function webpScreenshot(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  return Buffer.from(data, 'base64');
}
