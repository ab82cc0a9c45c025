import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Limits {
  readonly memoryBytes: number;
  readonly cores: number;
}

/** Where the kernel shows its control groups. */
const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

/**
 * Gives a process less than the machine has. Beyond its memory the kernel kills it.
 *
 * @returns undoes it once the process has ended; null where this machine lets nobody make control groups
 */
export function confine(pid: number, { memoryBytes, cores }: Limits): (() => void) | null {
  const name = `postrider-faults-${pid}`;
  const quota = Math.round(cores * PERIOD_US);
  const groups: Readonly<Record<string, Readonly<Record<string, string | number>>>> = existsSync(
    join(ROOT, 'cgroup.controllers'),
  )
    ? { [name]: { 'memory.max': memoryBytes, 'cpu.max': `${quota} ${PERIOD_US}`, 'cgroup.procs': pid } }
    : {
        [`memory/${name}`]: { 'memory.limit_in_bytes': memoryBytes, 'cgroup.procs': pid },
        [`cpu/${name}`]: { 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': quota, 'cgroup.procs': pid },
      };
  const made: string[] = [];
  const undo = () => {
    for (const directory of made) rmdirSync(directory);
  };
  try {
    for (const [group, settings] of Object.entries(groups)) {
      const directory = join(ROOT, group);
      mkdirSync(directory);
      made.push(directory);
      for (const [file, value] of Object.entries(settings))
        writeFileSync(join(directory, file), String(value));
    }
    return undo;
  } catch {
    return null;
  }
}

/** Resident memory of a process, in bytes; 0 when it has ended. */
export function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
