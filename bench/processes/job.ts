import { describeExit, startProcess, tail } from '#dev/processes/start-process';
import { ADMIN, entryPoint } from '#dev/processes/start-service';
import { NODE_ARGS } from './service.js';

/** Programs that run to their end, as arguments of Node. */
const JOBS = {
  janitor: [entryPoint('janitor')],
  migrate: [ADMIN, 'migrate'],
  verify: [ADMIN, 'verify'],
} as const;
export type JobName = keyof typeof JOBS;

export interface JobStart {
  readonly job: JobName;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  /** Kills it. */
  readonly signal: AbortSignal;
}

export interface Job {
  readonly pid: number;
  /** Resolves once it has exited with code 0. @throws Error with the end of its log when it fails */
  readonly succeeded: Promise<void>;
}

/** Starts a job as a process of its own. */
export async function startJob({ job, env, logFile, signal }: JobStart): Promise<Job> {
  const running = await startProcess({
    command: process.execPath,
    args: [...NODE_ARGS, ...JOBS[job]],
    env: { ...process.env, ...env, METRICS_PORT: '0' },
    logFile,
  });
  signal.addEventListener('abort', running.kill, { once: true });
  const succeeded = async () => {
    const exit = await running.exited;
    signal.removeEventListener('abort', running.kill);
    if (exit.code === 0) return;
    throw new Error(`the ${job} failed (${describeExit(exit)}); its log ends with\n${tail(logFile)}`);
  };
  return { pid: running.pid, succeeded: succeeded() };
}
