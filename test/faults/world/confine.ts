import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Limits {
  readonly memoryBytes: number;
  readonly cores: number;
}

/** Where the kernel shows its control groups. */
const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;
/** Debian's package of the same name: stops a process and lets it go on, many times a second. */
const CPULIMIT = 'cpulimit';

/** @returns what this machine lacks to confine a process, null when nothing */
export function lacksToConfine(): string | null {
  const release = confineInGroup(null, { memoryBytes: 2 ** 30, cores: 1 });
  if (release === null && !hasCpulimit()) return `control groups to write, nor ${CPULIMIT}`;
  release?.();
  return null;
}

/**
 * Gives a process less time than the machine has, and less memory where there are control groups: beyond it the kernel
 * kills it there. Elsewhere its peak has to be looked at.
 *
 * @returns undoes it once the process has ended
 */
export function confine(pid: number, limits: Limits): () => void {
  return confineInGroup(pid, limits) ?? slowDown(pid, limits);
}

/** @param pid null only tries whether there could be such groups */
function confineInGroup(pid: number | null, limits: Limits): (() => void) | null {
  const name = `postrider-faults-${pid ?? 'none'}`;
  const made: string[] = [];
  const undo = () => {
    for (const directory of made) rmdirSync(directory);
  };
  try {
    for (const [group, settings] of Object.entries(groupsOf(name, limits))) {
      const directory = join(ROOT, group);
      mkdirSync(directory);
      made.push(directory);
      for (const [file, value] of Object.entries(settings))
        writeFileSync(join(directory, file), String(value));
      if (pid !== null) writeFileSync(join(directory, 'cgroup.procs'), String(pid));
    }
    return undo;
  } catch {
    if (pid === null) undo();
    return null;
  }
}

type Groups = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

/** The settings of each group, by its folder. */
function groupsOf(name: string, { memoryBytes, cores }: Limits): Groups {
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

/** It ends with the process that it slows down. */
function slowDown(pid: number, { cores }: Limits): () => void {
  const percent = String(Math.round(cores * 100));
  const limiter = spawn(CPULIMIT, ['-z', '-p', String(pid), '-l', percent], { stdio: 'ignore' });
  return () => limiter.kill();
}
