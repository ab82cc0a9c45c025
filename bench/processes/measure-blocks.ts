import { writeFileSync } from 'node:fs';
import type { Blocks } from '../measure/blocks.js';
import { createCoreWait } from '../measure/core-waits.js';

/*
 * Loaded into a service before its own code (node --import): measures how long its event loop is blocked, and writes the
 * longest times since the last report, in milliseconds, to BENCH_BLOCKS_FILE at each SIGUSR2. A thread that waits for a
 * processor, because others use them all, is blocked as well. What the service causes itself is therefore measured beside it.
 */
const { BENCH_BLOCKS_FILE: file = '' } = process.env;
const RESOLUTION_MS = 5;
const coreWait = createCoreWait();
const read = () => ({ at: performance.now(), waitedMs: coreWait() });
let longest = { wallMs: 0, ownMs: 0 };
let last = read();
setInterval(() => {
  const current = read();
  const wallMs = current.at - last.at - RESOLUTION_MS;
  const waitedMs = (current.waitedMs ?? 0) - (last.waitedMs ?? 0);
  longest = {
    wallMs: Math.max(longest.wallMs, wallMs),
    ownMs: Math.max(longest.ownMs, wallMs - waitedMs),
  };
  last = current;
}, RESOLUTION_MS).unref();
process.on('SIGUSR2', () => {
  const blocks: Blocks = { ...longest, ownMs: last.waitedMs === null ? null : longest.ownMs };
  writeFileSync(file, JSON.stringify(blocks));
  longest = { wallMs: 0, ownMs: 0 };
});
