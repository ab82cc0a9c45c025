import { rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describeExit } from '../processes/start-process.js';
import { type ServiceProcess, startService } from '../processes/start-service.js';
import { PLACES, ROOT } from './places.js';

export interface Janitor {
  stop(): Promise<void>;
}

const EVERY_MS = 3_600_000;
const STOP_GRACE_MS = 5_000;

/** Runs the janitor immediately and then every hour. Only a failure is reported. */
export function runJanitorHourly(env: NodeJS.ProcessEnv, report: (line: string) => void): Janitor {
  const logFile = join(PLACES.logs, 'janitor.log');
  rmSync(logFile, { force: true });
  let running: ServiceProcess | undefined;
  let stopping = false;
  const run = async (): Promise<void> => {
    running = await startService({ name: 'janitor', env, logFile });
    const exit = await running.exited;
    running = undefined;
    if (exit.code === 0 || stopping) return;
    report(`[janitor] failed (${describeExit(exit)}): see ${relative(ROOT, logFile)}`);
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
