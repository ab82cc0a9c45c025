import { writeFileSync } from 'node:fs';
import type { Blocks } from '../measure/blocks.js';

/*
 * Loaded into a service before its own code (node --import): measures how long its event loop is blocked, and writes the
 * longest times since the last report, in milliseconds, to BENCH_BLOCKS_FILE at each SIGUSR2. A thread that waits for a
 * processor is blocked as well, so the processor time of the loop's thread in one turn is measured beside it.
 */
const { BENCH_BLOCKS_FILE: file = '' } = process.env;
const RESOLUTION_MS = 5;
const US_PER_MS = 1_000;
const read = () => {
  const { user, system } = process.threadCpuUsage();
  return { at: performance.now(), cpuMs: (user + system) / US_PER_MS };
};
const none: Blocks = { wallMs: 0, cpuMs: 0 };
let longest = none;
let last = read();
setInterval(() => {
  const current = read();
  longest = {
    wallMs: Math.max(longest.wallMs, current.at - last.at - RESOLUTION_MS),
    cpuMs: Math.max(longest.cpuMs, current.cpuMs - last.cpuMs),
  };
  last = current;
}, RESOLUTION_MS).unref();
process.on('SIGUSR2', () => {
  writeFileSync(file, JSON.stringify(longest));
  longest = none;
});
