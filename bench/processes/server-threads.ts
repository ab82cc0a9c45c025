import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { readThreads, readUsage } from '#dev/processes/proc-files';
import {
  THREADED_SERVERS,
  type ThreadedServer,
  type ThreadedUsage,
  type ThreadNames,
  timeOfThreads,
} from '../measure/thread-parts.js';
import type { Watched } from './meter.js';

/** A server whose threads are measured. */
export interface ThreadedProcess {
  readonly server: ThreadedServer;
  readonly pid: number;
  readonly names: ThreadNames;
}

/** Microseconds of CPU of the parts of each server's threads. Servers whose threads are unknown are missing. */
export type ServerThreads = ReadonlyMap<ThreadedServer, ReadonlyMap<string, number>>;

/** The servers whose threads this system does not show, or that do not run on this machine. */
export function serversWithoutThreads(processes: readonly Watched[]): readonly ThreadedServer[] {
  return THREADED_SERVERS.filter((server) => {
    const process = processes.find(({ name }) => name === server);
    return process === undefined || readThreads(process.pid) === null;
  });
}

/** Also finds the names of their threads, which takes CPU time of a Java server. */
export function findThreadedProcesses(processes: readonly Watched[]): Promise<ThreadedProcess[]> {
  const found = THREADED_SERVERS.flatMap((server) =>
    processes.filter(({ name }) => name === server).map(({ pid }) => ({ server, pid })),
  );
  return Promise.all(found.map(async (one) => ({ ...one, names: await readThreadNames(one) })));
}

/** Starts measuring the threads of servers. */
export function startThreadMeter(processes: readonly ThreadedProcess[], read = readThreadedUsage) {
  const started = processes.map((process) => ({ ...process, before: read(process.pid) }));
  return {
    stop(): ServerThreads {
      const measured = started.flatMap(({ server, pid, names, before }) => {
        const after = read(pid);
        if (before === null || after === null) return [];
        return [[server, timeOfThreads(server, { before, after, names })] as const];
      });
      return new Map(measured);
    },
  };
}

function readThreadedUsage(pid: number): ThreadedUsage | null {
  const [usage, threads] = [readUsage(pid), readThreads(pid)];
  return usage && threads && { cpuSeconds: usage.cpuSeconds, threads };
}

const LONGEST_DUMP_MS = 10_000;

/** Kafka's names are longer than what the system keeps. A JDK shows them; a mere runtime does not. */
async function readThreadNames({ server, pid }: Omit<ThreadedProcess, 'names'>): Promise<ThreadNames> {
  if (server !== 'kafka') return new Map();
  try {
    const jcmd = join(dirname(readlinkSync(`/proc/${pid}/exe`)), 'jcmd');
    const options = { timeout: LONGEST_DUMP_MS };
    const { stdout } = await promisify(execFile)(jcmd, [String(pid), 'Thread.print'], options);
    return parseThreadNames(stdout);
  } catch {
    return new Map();
  }
}

/** From a thread dump of Java, which has the system's numbers in decimal or hexadecimal. */
export function parseThreadNames(dump: string): ThreadNames {
  const threads = dump.matchAll(/^"(.*)" .*\bnid=(0x[\da-f]+|\d+)/gm);
  return new Map(Array.from(threads, ([, name = '', id]) => [Number(id), name]));
}
