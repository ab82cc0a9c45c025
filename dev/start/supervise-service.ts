import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, startService } from '../processes/start-service.js';
import { type Supervised, supervise } from '../processes/supervise.js';
import { readLogLine } from './log-lines.js';
import { PLACES } from './places.js';

export interface ServiceStart {
  readonly name: ServiceName;
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
  /** Called after each restart: the process id has changed. */
  readonly onRestart: () => void;
}

/** Running requests and deliveries may finish. Together with what is stopped after it this stays under 20 s. */
const STOP_GRACE_MS = 9_000;

/** Starts a service, resolves when it is ready, and restarts it when it ends. Its warnings are reported. */
export function superviseService({ name, env, report, onRestart }: ServiceStart): Promise<Supervised> {
  const logFile = join(PLACES.logs, `${name}.log`);
  rmSync(logFile, { force: true });
  let hasBeenReady = false;
  const onLine = (line: string): void => {
    const read = readLogLine(line, hasBeenReady);
    hasBeenReady ||= read.kind === 'ready';
    if (read.kind === 'shown') report(`[${name}] ${read.text}`);
  };
  const start = () => startService({ name, env, logFile, onLine });
  return supervise({ name, start, report, onRestart, stopGraceMs: STOP_GRACE_MS });
}
