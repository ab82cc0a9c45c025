/** Node.js has the usage of one thread from version 23.9 on; before, that of all threads comes closest. */
const usage: () => NodeJS.CpuUsage = process.threadCpuUsage ?? process.cpuUsage;

/** The CPU time that this thread has used, in milliseconds. Unlike a clock, it stands still while the thread waits for a core. */
export function threadCpuMs(): number {
  const { user, system } = usage();
  return (user + system) / 1_000;
}
