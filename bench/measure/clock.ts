/**
 * Milliseconds of the machine's monotonic clock. All processes of a machine read the same one, so what one process
 * wrote down can be subtracted from what another did; and nobody sets it, unlike the wall clock.
 */
export function machineNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** A time of the wall clock, in milliseconds, as the machine's. */
export function machineTimeOf(wallMs: number): number {
  return machineNow() - (Date.now() - wallMs);
}
