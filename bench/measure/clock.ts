/** Between this process's monotonic clock, which starts with it, and the machine's. */
const STARTED_AT_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/**
 * Milliseconds of the machine's monotonic clock. All processes of a machine read the same one, so what one process
 * wrote down can be subtracted from what another did; and nobody sets it, unlike the wall clock.
 */
export function machineNow(): number {
  return STARTED_AT_MS + performance.now();
}

/** What to add to a time of the wall clock to get the machine's, in milliseconds, as of now. */
export function wallToMachineMs(): number {
  return machineNow() - Date.now();
}
