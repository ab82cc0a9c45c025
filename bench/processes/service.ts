import { readFileSync } from 'node:fs';
import { describeExit, runTool } from '#dev/processes/start-process';
import { startService as launch, type ServiceName, type ServiceProcess } from '#dev/processes/start-service';
import { programFile } from '#dev/programs/programs';

interface Start {
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Kills the process. */
  readonly signal: AbortSignal;
}

const DOCKERFILE = readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8');
/** The memory settings of the image. */
const NODE_ARGS = /^ENV NODE_OPTIONS="(.+)"$/m.exec(DOCKERFILE)![1]!.split(' ');
const MEMORY = Object.fromEntries(
  [...DOCKERFILE.matchAll(/^ENV (MALLOC_\w+)=(\d+)$/gm)].map(([, name, value]) => [name!, value!]),
);
const STOP_GRACE_MS = 30_000;
/** Enough to close open transactions: after a SIGKILL, the database would keep their locks for a minute. */
const DISMISSAL_GRACE_MS = 4_000;
const ANY_PORT = { PORT: '0', HEALTH_PORT: '0', METRICS_PORT: '0' };

/** Starts a service with the memory settings of production. @throws Error with the end of its log if it fails to start */
export async function startService(
  name: ServiceName,
  { env, logFile, signal, nodeArgs = [] }: Start & { readonly nodeArgs?: readonly string[] },
): Promise<ServiceProcess> {
  const running = await launch({
    name,
    env: { ...process.env, ...MEMORY, ...env, ...ANY_PORT },
    logFile,
    nodeArgs: [...NODE_ARGS, ...nodeArgs],
  });
  signal.addEventListener('abort', running.kill, { once: true });
  try {
    signal.throwIfAborted();
    await running.ready;
    return running;
  } catch (error) {
    running.kill();
    throw error;
  } finally {
    signal.removeEventListener('abort', running.kill);
  }
}

/** Stops a service gracefully. @throws Error if it does not exit with code 0 */
export async function stopService(service: ServiceProcess): Promise<void> {
  const exit = await service.stop(STOP_GRACE_MS);
  if (exit.code !== 0) throw new Error(`the ${service.name} did not stop gracefully (${describeExit(exit)})`);
}

/** Ends a service within seconds. */
export const dismissService = (service: ServiceProcess) => service.stop(DISMISSAL_GRACE_MS);

/** Programs that run to their end, as arguments of Node. */
const JOBS = {
  janitor: [programFile('janitor')],
  migrate: [programFile('admin'), 'migrate'],
  verify: [programFile('admin'), 'verify'],
} as const;
export type JobName = keyof typeof JOBS;

/** Runs a job to its end. @throws Error with the end of its log if it fails */
export function runJob(name: JobName, start: Start, onStart: (pid: number) => void): Promise<void> {
  const env = { ...process.env, ...MEMORY, ...start.env, METRICS_PORT: '0' };
  const args = [...NODE_ARGS, ...JOBS[name]];
  return runTool({ ...start, name: `the ${name}`, command: process.execPath, args, env }, onStart);
}
