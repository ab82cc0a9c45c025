import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/** The packaged browser runs on Linux; elsewhere `CHROMIUM_PATH` is the path of an installed one. */
export const hasBrowser = process.platform === 'linux' || process.env.CHROMIUM_PATH !== undefined;

/** Fit for a function in a cloud: the first ends the browser with its first page, the other switches off what is tested. */
const UNWANTED = ['--single-process', '--no-zygote', '--disable-web-security'];

/** A name of a loopback address to which browsers grant nothing that they grant to `localhost` and its address. */
export const UNTRUSTED_HOST = 'console.test';

/** Opens a browser that can only reach loopback addresses. */
export async function openBrowser(): Promise<Browser> {
  // An emulated graphics card takes more CPU than all pages together.
  chromium.setGraphicsMode = false;
  const executablePath = process.env.CHROMIUM_PATH ?? (await chromium.executablePath());
  const args = [
    ...chromium.args.filter((arg) => !UNWANTED.includes(arg)),
    '--disable-gpu',
    // Otherwise each page that a test opens starts a process, which takes longer than the page.
    '--renderer-process-limit=1',
    `--host-resolver-rules=MAP ${UNTRUSTED_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
  ];
  const launch = () => playwright.launch({ executablePath, args, headless: true });
  // On a busy machine it may crash while it starts.
  return launch().catch(launch);
}
