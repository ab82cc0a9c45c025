import { openSync, readSync } from 'node:fs';

const LONGEST = 128;
const NS_PER_MS = 1e6;

/** From the text of /proc/thread-self/schedstat: how long the thread was ready to run without a processor. */
export function parseCoreWaitMs(schedstat: string): number | null {
  const [, waited] = schedstat.trim().split(' ');
  const ms = Number(waited) / NS_PER_MS;
  return Number.isFinite(ms) ? ms : null;
}

/** @returns reads the wait of the calling thread so far; null where the system does not report it */
export function createCoreWait(): () => number | null {
  try {
    const file = openSync('/proc/thread-self/schedstat', 'r');
    const text = Buffer.alloc(LONGEST);
    return () => parseCoreWaitMs(text.toString('latin1', 0, readSync(file, text, 0, LONGEST, 0)));
  } catch {
    return () => null;
  }
}
