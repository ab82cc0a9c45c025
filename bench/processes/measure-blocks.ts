import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/*
 * Loaded into a service before its own code (node --import): measures how long its event loop is blocked, and writes the
 * longest time since the last one, in milliseconds, to BENCH_BLOCKS_FILE at each SIGUSR2.
 */
const { BENCH_BLOCKS_FILE: file = '' } = process.env;
const RESOLUTION_MS = 5;
const NS_PER_MS = 1e6;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
process.on('SIGUSR2', () => {
  const longest = Math.max(0, delays.max / NS_PER_MS - RESOLUTION_MS);
  delays.reset();
  writeFileSync(file, JSON.stringify(longest));
});
