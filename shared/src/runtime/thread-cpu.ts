/** Node.js has the usage of one thread from version 23.9 on; before, that of all threads comes closest. */
const usage: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage;

/** CPU time, in milliseconds. */
export interface CpuTime {
  /** The time used so far. Takes a system call. */
  used(): number;
  /** At least the time used so far, and exact after `used` in the same moment. Takes a tenth of the time of `used`. */
  upperBound(): number;
}

/** CPU time never passes faster than the time of a clock, which is quicker to read. */
export function createCpuTime(cpuMs: () => number, monotonicMs: () => number): CpuTime {
  let last = { used: 0, at: Number.NEGATIVE_INFINITY };
  return {
    used() {
      last = { used: cpuMs(), at: monotonicMs() };
      return last.used;
    },
    upperBound: () => last.used + monotonicMs() - last.at,
  };
}

/** The CPU time that this thread has used, in milliseconds. Unlike a clock, it stands still while the thread waits for a core. */
export function threadCpuMs(): number {
  const { user, system } = usage();
  return (user + system) / 1_000;
}
