import type { Consumption } from '../processes/meter.js';

/**
 * Microseconds of CPU for each of a number of deliveries, requests or commands; for deliveries that is seconds for a
 * million of them, too.
 *
 * @returns null if there are no processes, if there was nothing to count, or if the use of a process is unknown
 */
export function cpuMicrosEach(processes: readonly Consumption[], count: number): number | null {
  const seconds = processes.map(({ cpuSeconds }) => cpuSeconds ?? Number.NaN);
  const each = (seconds.reduce((sum, one) => sum + one, 0) * 1e6) / count;
  return processes.length > 0 && Number.isFinite(each) ? each : null;
}
