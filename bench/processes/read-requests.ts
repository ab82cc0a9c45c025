import { readFileSync, rmSync } from 'node:fs';
import { poll } from '#dev/processes/poll';
import { type Counts, sumOf } from '../measure/counts.js';

/** A service that counts its requests to the broker, and the file that it writes at a signal. */
export interface CountingService {
  readonly pid: number;
  readonly file: string;
}

/** The requests of these services so far, by name. */
export async function readRequests(services: readonly CountingService[]): Promise<Counts> {
  return sumOf(await Promise.all(services.map(readCounts)));
}

async function readCounts({ pid, file }: CountingService): Promise<Counts> {
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  // Rejects until the file is complete.
  const read = async (): Promise<Counts> => JSON.parse(readFileSync(file, 'utf8'));
  return poll(read, { everyMs: 5, timeoutMs: 10_000, what: `the requests of process ${pid}` });
}
