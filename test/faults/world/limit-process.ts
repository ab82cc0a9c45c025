import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Limits {
  readonly memoryBytes: number;
  readonly cores: number;
}

/** The mount point of the control groups. */
const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

/** Returns what this machine lacks to limit a process, or null. */
export function missingLimits(): string | null {
  try {
    createGroups('postrider-faults-test', { memoryBytes: 2 ** 30, cores: 1 }).remove();
    return null;
  } catch {
    return 'writable control groups';
  }
}

/** Limits the CPU time and the memory of a process. @returns a function to call once the process has ended */
export function limitProcess(pid: number, limits: Limits): () => void {
  const { directories, remove } = createGroups(`postrider-faults-${pid}`, limits);
  for (const directory of directories) writeFileSync(join(directory, 'cgroup.procs'), String(pid));
  return remove;
}

function createGroups(name: string, { memoryBytes, cores }: Limits) {
  const quota = Math.round(cores * PERIOD_US);
  const groups: Record<string, Record<string, unknown>> = existsSync(join(ROOT, 'cgroup.controllers'))
    ? { [name]: { 'memory.max': memoryBytes, 'cpu.max': `${quota} ${PERIOD_US}` } }
    : {
        [`memory/${name}`]: { 'memory.limit_in_bytes': memoryBytes },
        [`cpu/${name}`]: { 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': quota },
      };
  const directories = Object.keys(groups).map((group) => join(ROOT, group));
  const remove = () => {
    for (const directory of directories) if (existsSync(directory)) rmdirSync(directory);
  };
  try {
    for (const [group, settings] of Object.entries(groups)) {
      mkdirSync(join(ROOT, group));
      for (const [file, value] of Object.entries(settings))
        writeFileSync(join(ROOT, group, file), String(value));
    }
    return { directories, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
