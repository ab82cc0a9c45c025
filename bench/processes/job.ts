import { join } from 'node:path';
import type { Guard } from '#dev/processes/guard';
import { describeExit, startProcess } from '#dev/processes/start-process';
import { ADMIN, entryPoint } from '#dev/start/describe-services';
import { ROOT } from '#dev/start/places';
import { NODE_ARGS } from './service.js';
import { readEnd } from './service-log.js';

/** What runs and ends by itself, as Node is told to run it. */
const JOBS = {
  janitor: [join(ROOT, entryPoint('janitor'))],
  migrate: [join(ROOT, ADMIN), 'migrate'],
  verify: [join(ROOT, ADMIN), 'verify'],
} as const;
export type JobName = keyof typeof JOBS;

export interface JobStart {
  readonly job: JobName;
  readonly env: Readonly<Record<string, string>>;
  /** Where its log goes. */
  readonly logFile: string;
  readonly guard: Guard;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

export interface Job {
  readonly pid: number;
  /** Resolves once it has ended with exit code 0. @throws Error with the end of its log when it ends otherwise */
  readonly succeeded: Promise<void>;
}

/** Starts a job as a process of its own. */
export async function startJob({ job, env, logFile, guard, signal }: JobStart): Promise<Job> {
  const running = await startProcess(
    {
      command: process.execPath,
      args: [...NODE_ARGS, ...JOBS[job]],
      env: { ...process.env, ...env, METRICS_PORT: '0' },
      output: { file: logFile },
    },
    guard,
  );
  signal.addEventListener('abort', running.kill, { once: true });
  const succeeded = async () => {
    const exit = await running.exited;
    signal.removeEventListener('abort', running.kill);
    if (exit.code === 0) return;
    throw new Error(
      `the ${job} failed (${describeExit(exit)}); its log ends with\n${await readEnd(logFile)}`,
    );
  };
  return { pid: running.pid, succeeded: succeeded() };
}
