import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** The packaged browser runs on Linux; elsewhere `CHROMIUM_PATH` is the path of an installed one. */
export const hasBrowser = process.platform === 'linux' || process.env.CHROMIUM_PATH !== undefined;

/** Opens a browser that can only reach loopback addresses. */
export async function openBrowser(): Promise<Browser> {
  return playwright.launch({
    executablePath: process.env.CHROMIUM_PATH ?? (await chromium.executablePath()),
    args: [...chromium.args, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    headless: true,
  });
}
