import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Guard } from '#dev/processes/guard';
import { describeExit, signalGroup, startProcess } from '#dev/processes/start-process';

export type ServiceName = 'api' | 'dispatcher' | 'dlq-consumer' | 'janitor';

/** A service as one process of its own. */
export interface ServiceProcess {
  readonly pid: number;
  /** Resolves with the port of its API or its health when it serves; rejects when it ends before. */
  readonly ready: Promise<number>;
  /** How it ended, such as `SIGKILL` or `exit code 1`. */
  readonly ended: Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** When it got the oldest of its partitions, in milliseconds; null while it is not ready, or has none in a group. */
  partitionsSince(): number | null;
  /** What it said last. */
  lastLine(): string;
}

export interface ServiceSpec {
  readonly name: ServiceName;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Of Node, before the program. */
  readonly nodeArgs: readonly string[];
  /** Told of each line that it logs. */
  readonly heard?: (line: LogLine) => void;
}

const entryPoint = (name: ServiceName) =>
  fileURLToPath(new URL(`../../../../services/${name}/dist/src/main.js`, import.meta.url));

export async function startService(spec: ServiceSpec, guard: Guard): Promise<ServiceProcess> {
  const { name, env, logFile, nodeArgs } = spec;
  const ready = Promise.withResolvers<number>();
  const shares = new Map<string, Share>();
  let lastLine = '';
  let isReady = false;
  const read = (line: string) => {
    appendFileSync(logFile, `${line}\n`);
    lastLine = line;
    const told = parse(line);
    const { event, port, healthPort, groupId, assignment } = told;
    spec.heard?.(told);
    if (groupId !== undefined && assignment !== undefined)
      shares.set(groupId, { partitions: Object.values(assignment).flat().length, at: Date.now() });
    if (event !== 'ready') return;
    isReady = true;
    ready.resolve(port ?? healthPort ?? 0);
  };
  const take = (stream: Readable) => {
    createInterface({ input: stream }).on('line', read);
  };
  const running = await startProcess(
    {
      command: process.execPath,
      args: [...nodeArgs, entryPoint(name)],
      env: { ...process.env, ...env },
      output: { take },
    },
    guard,
  );
  const ended = running.exited.then(describeExit);
  void ended.then((end) =>
    ready.reject(new Error(`${name} ended (${end}) before it was ready; see ${logFile}`)),
  );
  ready.promise.catch(() => {});
  return {
    pid: running.pid,
    ready: ready.promise,
    ended,
    signal: (signal) => signalGroup(running.pid, signal),
    partitionsSince: () => (isReady ? oldestOf([...shares.values()]) : null),
    lastLine: () => lastLine,
  };
}

/** What a process got when it joined a group. */
interface Share {
  readonly partitions: number;
  readonly at: number;
}

/** @returns null when one of them is empty, or there is none */
function oldestOf(shares: readonly Share[]): number | null {
  const hasAll = shares.length > 0 && shares.every(({ partitions }) => partitions > 0);
  return hasAll ? Math.min(...shares.map(({ at }) => at)) : null;
}

export interface LogLine {
  readonly event?: string;
  readonly port?: number;
  readonly healthPort?: number;
  readonly groupId?: string;
  /** Partitions by topic. */
  readonly assignment?: Readonly<Record<string, readonly number[]>>;
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return {};
  }
}
