import { readFileSync } from 'node:fs';

/** The kernel reports CPU time in hundredths of a second, independent of its own tick. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/<pid>/stat after the command's name, counted from 0. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** Resources that a process with all its threads has used so far. */
export interface Usage {
  readonly cpuSeconds: number;
  /** Resident bytes now, and their peak since the process started. */
  readonly memory: { readonly resident: number; readonly peak: number };
}

/** From the texts of /proc/<pid>/stat and /proc/<pid>/status; null when one is incomplete. */
export function parseUsage(stat: string, status: string): Usage | null {
  // The name is in parentheses and may contain blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + ') '.length).split(' ');
  const cpuSeconds = (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024;
  const [resident, peak] = [bytes('VmRSS'), bytes('VmHWM')];
  return Number.isFinite(cpuSeconds + resident + peak) ? { cpuSeconds, memory: { resident, peak } } : null;
}

/** @returns null when the process is gone, or where the system has no /proc */
export function readUsage(pid: number): Usage | null {
  try {
    return parseUsage(readFileSync(`/proc/${pid}/stat`, 'utf8'), readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Bytes of memory, with pages shared by several processes divided between them (PSS).
 *
 * @returns null when the process is gone, is another user's, or where the system has no /proc
 */
export function readProportionalBytes(pid: number): number | null {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const kilobytes = Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]);
    return Number.isFinite(kilobytes) ? kilobytes * 1_024 : null;
  } catch {
    return null;
  }
}

/** Also for processes of other users, which cannot be signalled. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
