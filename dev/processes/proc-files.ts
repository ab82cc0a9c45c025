import { readFileSync } from 'node:fs';

/** The kernel reports CPU time in hundredths of a second, whatever its own tick. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/<pid>/stat after the command's name, counted from 0. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/** CPU seconds of a process with all its threads, from the text of /proc/<pid>/stat; null when it is none. */
export function parseCpuSeconds(stat: string): number | null {
  // The name is in parentheses and may contain blanks and parentheses.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 1)
    .trim()
    .split(/\s+/);
  const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
  return Number.isFinite(ticks) ? ticks / TICKS_PER_SECOND : null;
}

export interface Memory {
  /** Resident now, in bytes. */
  readonly resident: number;
  /** The most that has been resident since the process started, in bytes. */
  readonly peak: number;
}

/** From the text of /proc/<pid>/status; null when it is incomplete. */
export function parseMemory(status: string): Memory | null {
  const resident = kibibytes(status, 'VmRSS');
  const peak = kibibytes(status, 'VmHWM');
  return resident === null || peak === null ? null : { resident, peak };
}

function kibibytes(status: string, name: string): number | null {
  const [, amount] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status) ?? [];
  return amount === undefined ? null : Number(amount) * 1_024;
}

/** Resources that a process has used so far. */
export interface Usage {
  readonly cpuSeconds: number;
  readonly memory: Memory;
}

/** @returns null when the process is gone, or where the system has no /proc */
export function readUsage(pid: number): Usage | null {
  try {
    const cpuSeconds = parseCpuSeconds(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const memory = parseMemory(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return cpuSeconds === null || memory === null ? null : { cpuSeconds, memory };
  } catch {
    return null;
  }
}
