import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Namespace } from '../environment/namespace.js';
import type { Span } from '../measure/timeline.js';
import type { Context } from '../scenario.js';
import { startMeter } from './meter.js';
import { runJob } from './service.js';

export interface JanitorRun {
  readonly task: 'cleanup' | 'digest';
  readonly settings: Readonly<Record<string, string>>;
}

/** Runs the janitor once. @returns its record of one of its tasks, and the usage of the processes */
export async function runJanitor(
  { directory, signal, serverProcesses, options }: Context,
  { env, database }: Namespace,
  { task, settings }: JanitorRun,
) {
  const logFile = join(directory, 'janitor.log');
  const meter = startMeter(serverProcesses);
  await runJob('janitor', { env: { ...env, ...settings }, logFile, signal }, (pid) =>
    meter.watch({ name: 'janitor', pid, fresh: true }),
  );
  const processes = meter.stop();
  const run = await database.collections.taskRuns.findOne({ _id: task });
  if (run === null) throw new Error(`the janitor did not record its ${task}`);
  if (!options.keepLogs) await rm(logFile);
  const span: Span = { from: run.startedAt.getTime(), to: run.endedAt.getTime() };
  return { handled: run.handled ?? 0, span, processes };
}
