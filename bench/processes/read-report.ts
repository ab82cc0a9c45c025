import { readFileSync, rmSync } from 'node:fs';
import { poll } from '#dev/processes/poll';

/** A process, and the file that it writes at a signal. */
export interface Reporting {
  readonly pid: number;
  readonly file: string;
}

/** Lets a process write its report as JSON. */
export async function readReport<T>({ pid, file }: Reporting): Promise<T> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  // Rejects until the file is complete.
  const read = async (): Promise<T> => JSON.parse(readFileSync(file, 'utf8'));
  return poll(read, { everyMs: 5, timeoutMs: 10_000, what: `the report of process ${pid}` });
}
