import { closeSync, openSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Guard } from '../processes/guard.js';
import { describeExit, type RunningProcess, startProcess } from '../processes/start-process.js';
import { entryPoint } from './describe-services.js';
import { PLACES, ROOT } from './places.js';

export interface Janitor {
  stop(): Promise<void>;
}

const EVERY_MS = 3_600_000;
const STOP_GRACE_MS = 5_000;

/** Runs the janitor now and then every hour. Only a failure is reported. */
export function runJanitorHourly(
  env: NodeJS.ProcessEnv,
  guard: Guard,
  report: (line: string) => void,
): Janitor {
  const file = join(PLACES.logs, 'janitor.log');
  closeSync(openSync(file, 'w', 0o600));
  const args = [join(ROOT, entryPoint('janitor'))];
  const spec = { command: process.execPath, args, env, cwd: ROOT, output: { file } };
  let running: RunningProcess | undefined;
  let stopping = false;
  const run = async (): Promise<void> => {
    running = await startProcess(spec, guard);
    const exit = await running.exited;
    running = undefined;
    if (exit.code === 0 || stopping) return;
    report(`[janitor] failed (${describeExit(exit)}): see ${relative(ROOT, file)}`);
  };
  const timer = setInterval(() => void run(), EVERY_MS);
  void run();
  const stop = async (): Promise<void> => {
    stopping = true;
    clearInterval(timer);
    await running?.stop(STOP_GRACE_MS);
  };
  return { stop };
}
