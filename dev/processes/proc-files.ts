import { readdirSync, readFileSync } from 'node:fs';

/** The kernel reports CPU time in hundredths of a second, independent of its own tick. */
const TICKS_PER_SECOND = 100;
/** Fields of /proc/<pid>/stat after the command's name, counted from 0. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
const START_TICKS = 19;

/** Resources that a process with all its threads has used so far. */
export interface Usage {
  readonly cpuSeconds: number;
  /** Resident bytes now, and their peak since the process started. */
  readonly memory: { readonly resident: number; readonly peak: number };
}

/** From the texts of /proc/<pid>/stat and /proc/<pid>/status; null when one is incomplete. */
export function parseUsage(stat: string, status: string): Usage | null {
  const { fields } = parseStat(stat);
  const cpuSeconds = (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
  const bytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1_024;
  const [resident, peak] = [bytes('VmRSS'), bytes('VmHWM')];
  return Number.isFinite(cpuSeconds + resident + peak) ? { cpuSeconds, memory: { resident, peak } } : null;
}

/** The number, the name, and the fields after it. The name is in parentheses and may contain blanks and parentheses. */
function parseStat(stat: string) {
  const [begin, end] = [stat.indexOf(' ('), stat.lastIndexOf(') ')];
  return {
    id: Number(stat.slice(0, begin)),
    name: stat.slice(begin + ' ('.length, end),
    fields: stat.slice(end + ') '.length).split(' '),
  };
}

/** @returns null when the process is gone, or where the system has no /proc */
export function readUsage(pid: number): Usage | null {
  try {
    return parseUsage(readFileSync(`/proc/${pid}/stat`, 'utf8'), readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return null;
  }
}

/** The CPU time that a thread has used so far. */
export interface ThreadUsage {
  /** The system gives the number of a thread that has ended to a new one, which then differs in its start. */
  readonly id: number;
  readonly startedAtTick: number;
  /** The system keeps 15 characters. */
  readonly name: string;
  readonly cpuSeconds: number;
}

/** From the texts of stat and schedstat in /proc/<pid>/task/<id>; null when one is incomplete. */
export function parseThread(stat: string, schedstat: string): ThreadUsage | null {
  const { id, name, fields } = parseStat(stat);
  const startedAtTick = Number(fields[START_TICKS]);
  const cpuSeconds = Number.parseInt(schedstat, 10) / 1e9;
  return Number.isFinite(id + startedAtTick + cpuSeconds) ? { id, startedAtTick, name, cpuSeconds } : null;
}

/** @returns null when the process is gone, or where the system does not provide the CPU time of threads */
export function readThreads(pid: number): ThreadUsage[] | null {
  const directory = `/proc/${pid}/task`;
  try {
    const threads = readdirSync(directory).flatMap((id) => readThread(`${directory}/${id}`) ?? []);
    return threads.length === 0 ? null : threads;
  } catch {
    return null;
  }
}

/** @returns null when the thread is gone */
function readThread(directory: string): ThreadUsage | null {
  try {
    const read = (name: string) => readFileSync(`${directory}/${name}`, 'utf8');
    return parseThread(read('stat'), read('schedstat'));
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
