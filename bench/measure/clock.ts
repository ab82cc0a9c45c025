/**
 * Milliseconds of the monotonic clock of the machine. All processes read the same clock, so that times of different
 * processes can be compared. Unlike the wall clock, it is never adjusted.
 */
export function machineNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Converts milliseconds of the wall clock. */
export function machineTimeOf(wallMs: number): number {
  return machineNow() - (Date.now() - wallMs);
}
