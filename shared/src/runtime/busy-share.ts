/** How long a measurement takes at least, in milliseconds. */
const MEASURE_MS = 100;

let started = performance.now();
let before = performance.eventLoopUtilization();
let share = 0;

/**
 * The share of the last tenth of a second, or of the time since the last call, in which the event loop of this process was
 * busy: 0 to 1. Waiting for a processor counts as busy.
 */
export function busyShare(): number {
  const now = performance.now();
  if (now - started < MEASURE_MS) return share;
  const current = performance.eventLoopUtilization();
  share = performance.eventLoopUtilization(current, before).utilization;
  before = current;
  started = now;
  return share;
}
