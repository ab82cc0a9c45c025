import type { Consumption } from '../processes/meter.js';

/**
 * Microseconds of CPU for each delivery, request or command. For deliveries, the number is also the seconds for a million of
 * them.
 *
 * @returns null if there are no processes, if there was nothing to count, or if the usage of a process is unknown
 */
export function cpuMicrosEach(processes: readonly Consumption[], count: number): number | null {
  const seconds = processes.map(({ cpuSeconds }) => cpuSeconds ?? Number.NaN);
  const each = (seconds.reduce((sum, one) => sum + one, 0) * 1e6) / count;
  return processes.length > 0 && Number.isFinite(each) ? each : null;
}
