import { readFileSync, statSync } from 'node:fs';
import { programFile } from '../programs/programs.js';
import { ROOT } from '../start/paths.js';
import { poll } from './poll.js';
import { type ProcessSpec, type RunningProcess, startProcess } from './start-process.js';

/** The services that run permanently; the janitor is a job, and `all` runs the three in one process. */
export const SERVICES = ['api', 'dispatcher', 'dlq-consumer'] as const;
export type ServiceName = (typeof SERVICES)[number] | 'janitor' | 'all';

/** The fields of a service's log line that tools read. */
export interface LogLine {
  readonly time?: string;
  readonly event?: string;
  readonly level?: number;
  readonly msg?: string;
  readonly reason?: unknown;
  readonly err?: { readonly message?: unknown };
  readonly port?: number;
  readonly healthPort?: number;
  readonly metricsPort?: number;
  readonly groupId?: string;
  /** Partitions by topic. */
  readonly assignment?: Readonly<Record<string, readonly number[]>>;
}

/** @returns null for a line that is not JSON, such as a stack trace */
export function parseLogLine(line: string): LogLine | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Without `onLine` the service writes to `logFile` directly. */
export interface ServiceSpec extends Pick<ProcessSpec, 'logFile'> {
  readonly name: ServiceName;
  /** Its whole environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Arguments for Node. */
  readonly nodeArgs?: readonly string[];
  readonly onLine?: (line: string, entry: LogLine | null) => void;
}

export interface ServiceProcess extends RunningProcess {
  readonly name: ServiceName;
  /** The port of its API or its health checks; 0 until it is ready. */
  readonly port: number;
  readonly metricsPort: number;
}

const READY_WITHIN_MS = 120_000;

/** Starts a service as a separate process. `ready` resolves when it has logged its `ready` event. */
export async function startService(spec: ServiceSpec): Promise<ServiceProcess> {
  const { name, env, logFile, nodeArgs = [], onLine } = spec;
  let ports: LogLine | undefined;
  const read = (line: string): void => {
    const entry = parseLogLine(line);
    if (entry?.event === 'ready') ports = entry;
    onLine?.(line, entry);
  };
  const logStart = (logFile && statSync(logFile, { throwIfNoEntry: false })?.size) || 0;
  const probe = async (): Promise<true | undefined> => {
    if (onLine === undefined && logFile !== undefined) {
      const text = readFileSync(logFile).toString('utf8', logStart);
      for (const line of text.split('\n')) if (line.includes('"ready"')) read(line);
    }
    return ports && true;
  };
  const polling = { everyMs: 20, timeoutMs: READY_WITHIN_MS, what: `the start of the ${name}` };
  const running = await startProcess({
    name,
    command: process.execPath,
    args: [...nodeArgs, programFile(name)],
    env,
    cwd: ROOT,
    logFile,
    ...(onLine && { onLine: read }),
    untilReady: (signal) => poll(probe, { ...polling, signal }),
  });
  return {
    ...running,
    name,
    get port() {
      return ports?.port ?? ports?.healthPort ?? 0;
    },
    get metricsPort() {
      return ports?.metricsPort ?? 0;
    },
  };
}
