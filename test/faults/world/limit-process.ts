import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Limits {
  readonly memoryBytes: number;
  readonly cores: number;
}

/** The mount point of the control groups. */
const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;
/** Debian's package of the same name: stops and resumes a process many times a second. */
const CPULIMIT = 'cpulimit';

/** Returns what this machine does not have to limit a process, or null. */
export function missingLimits(): string | null {
  const release = limitByGroup(null, { memoryBytes: 2 ** 30, cores: 1 });
  release?.();
  return release === null && !hasCpulimit() ? `writable control groups and no ${CPULIMIT}` : null;
}

/**
 * Limits the CPU time of a process, and its memory if there are control groups: the kernel then kills it beyond the
 * limit. Otherwise the caller has to check its peak.
 *
 * @returns a function that removes the limits once the process has ended
 */
export function limitProcess(pid: number, limits: Limits): () => void {
  return limitByGroup(pid, limits) ?? limitByCpulimit(pid, limits);
}

/** @param pid null to find out whether groups can be created */
function limitByGroup(pid: number | null, limits: Limits): (() => void) | null {
  const created: string[] = [];
  const remove = () => {
    for (const directory of created) rmdirSync(directory);
  };
  try {
    for (const [group, settings] of Object.entries(groupsOf(`postrider-faults-${pid ?? 'none'}`, limits))) {
      const directory = join(ROOT, group);
      mkdirSync(directory);
      created.push(directory);
      for (const [file, value] of Object.entries(settings))
        writeFileSync(join(directory, file), String(value));
      if (pid !== null) writeFileSync(join(directory, 'cgroup.procs'), String(pid));
    }
    return remove;
  } catch {
    if (pid === null) remove();
    return null;
  }
}

/** The settings of each group, by its directory. */
function groupsOf(name: string, { memoryBytes, cores }: Limits): Record<string, Record<string, unknown>> {
  const quota = Math.round(cores * PERIOD_US);
  if (existsSync(join(ROOT, 'cgroup.controllers')))
    return { [name]: { 'memory.max': memoryBytes, 'cpu.max': `${quota} ${PERIOD_US}` } };
  return {
    [`memory/${name}`]: { 'memory.limit_in_bytes': memoryBytes },
    [`cpu/${name}`]: { 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': quota },
  };
}

function hasCpulimit(): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${CPULIMIT}`]);
    return true;
  } catch {
    return false;
  }
}

/** The limiter ends with the process. */
function limitByCpulimit(pid: number, { cores }: Limits): () => void {
  const percent = String(Math.round(cores * 100));
  const limiter = spawn(CPULIMIT, ['-z', '-p', String(pid), '-l', percent], { stdio: 'ignore' });
  return () => limiter.kill();
}
