import { describeExit, type Exit, startProcess, tail } from '#dev/processes/start-process';
import { ADMIN, entryPoint, startService as launch } from '#dev/processes/start-service';

export type ServiceName = 'api' | 'dispatcher' | 'dlq-consumer';

/** A service as a process of its own, with the memory settings of production. */
export interface Service {
  readonly name: ServiceName;
  readonly pid: number;
  /** Of its API, or of its health checks. */
  readonly origin: string;
  readonly logFile: string;
  readonly exited: Promise<Exit>;
  /** Stops it gracefully. @throws Error if it does not exit with code 0 */
  stop(): Promise<void>;
  /** Ends it within seconds. */
  dismiss(): Promise<unknown>;
}

interface Start {
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Kills the process. */
  readonly signal: AbortSignal;
}

/** As in the image; docs/decisions/ states why. */
export const NODE_ARGS = ['--max-semi-space-size=16', '--max-old-space-size=1984'];
const STOP_GRACE_MS = 30_000;
/** Enough to close open transactions: after a SIGKILL, the database would keep their locks for a minute. */
const DISMISSAL_GRACE_MS = 4_000;
const ANY_PORT = { PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0' };

/** @returns once the service is ready. @throws Error with the end of its log if it fails to start */
export async function startService(
  name: ServiceName,
  { env, logFile, signal, nodeArgs = [] }: Start & { readonly nodeArgs?: readonly string[] },
): Promise<Service> {
  const running = await launch({
    name,
    env: { ...process.env, ...env, ...ANY_PORT },
    logFile,
    nodeArgs: [...NODE_ARGS, ...nodeArgs],
  });
  signal.addEventListener('abort', running.kill, { once: true });
  try {
    signal.throwIfAborted();
    await running.ready;
  } catch (error) {
    running.kill();
    throw error;
  } finally {
    signal.removeEventListener('abort', running.kill);
  }
  return {
    name,
    pid: running.pid,
    origin: `http://127.0.0.1:${running.port}`,
    logFile,
    exited: running.exited,
    async stop() {
      const exit = await running.stop(STOP_GRACE_MS);
      if (exit.code !== 0) throw new Error(`the ${name} did not stop gracefully (${describeExit(exit)})`);
    },
    dismiss: () => running.stop(DISMISSAL_GRACE_MS),
  };
}

/** Programs that run to their end, as arguments of Node. */
const JOBS = {
  janitor: [entryPoint('janitor')],
  migrate: [ADMIN, 'migrate'],
  verify: [ADMIN, 'verify'],
} as const;
export type JobName = keyof typeof JOBS;

export interface Job {
  readonly pid: number;
  /** Resolves once it has exited with code 0. @throws Error with the end of its log if it fails */
  readonly succeeded: Promise<void>;
}

export async function startJob(name: JobName, { env, logFile, signal }: Start): Promise<Job> {
  const running = await startProcess({
    command: process.execPath,
    args: [...NODE_ARGS, ...JOBS[name]],
    env: { ...process.env, ...env, METRICS_PORT: '0' },
    logFile,
  });
  signal.addEventListener('abort', running.kill, { once: true });
  const succeeded = running.exited.then((exit) => {
    signal.removeEventListener('abort', running.kill);
    if (exit.code === 0) return;
    throw new Error(`the ${name} failed (${describeExit(exit)}); its log ends with\n${tail(logFile)}`);
  });
  return { pid: running.pid, succeeded };
}
