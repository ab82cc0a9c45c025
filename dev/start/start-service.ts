import { join } from 'node:path';
import type { Guard } from '../processes/guard.js';
import { type Supervised, type Supervision, supervise } from '../processes/supervise.js';
import { tail } from '../stack/native/run-tool.js';
import { entryPoint, type ServiceName } from './describe-services.js';
import { followOutput } from './follow-output.js';
import { readLogLine } from './log-lines.js';
import { PLACES, ROOT } from './places.js';

export interface ServiceStart {
  readonly name: ServiceName;
  readonly env: NodeJS.ProcessEnv;
  readonly guard: Guard;
  readonly report: (line: string) => void;
  /** Called when it was started again and so has another process id. */
  readonly onRestart: () => void;
}

const READY_WITHIN_MS = 60_000;
/** Running requests and deliveries may finish. Together with what is stopped after it this stays under 20 s. */
const STOP_GRACE_MS = 9_000;

/** Starts a service, resolves when it says that it serves, and starts it again whenever it dies. */
export async function startService(start: ServiceStart): Promise<Supervised> {
  const { name, env, guard, report, onRestart } = start;
  const file = join(PLACES.logs, `${name}.log`);
  const ready = createSignal();
  const output = followOutput(file, readLines(start, ready.give));
  const args = [join(ROOT, entryPoint(name))];
  const supervision: Supervision = {
    name,
    spec: () => ({ command: process.execPath, args, env, cwd: ROOT, output }),
    untilReady: (signal) => ready.wait(`${name} being ready`, signal),
    explain: () => `; the end of ${file}:\n${tail(file)}`,
    report,
    onRestart,
    stopGraceMs: STOP_GRACE_MS,
  };
  return supervise(supervision, guard);
}

function readLines({ name, report }: ServiceStart, onReady: () => void): (line: string) => void {
  let hasBeenReady = false;
  return (line) => {
    const read = readLogLine(line, hasBeenReady);
    if (read.kind === 'shown') report(`[${name}] ${read.text}`);
    if (read.kind !== 'ready') return;
    hasBeenReady = true;
    onReady();
  };
}

interface ReadySignal {
  readonly give: () => void;
  /** Resolves at the next `give`. */
  readonly wait: (what: string, signal: AbortSignal) => Promise<void>;
}

function createSignal(): ReadySignal {
  const target = new EventTarget();
  return {
    give: () => void target.dispatchEvent(new Event('ready')),
    wait: (what, signal) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`${what} did not happen within ${READY_WITHIN_MS / 1000} s`)),
          READY_WITHIN_MS,
        );
        signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
        target.addEventListener('ready', () => resolve(), { once: true, signal });
      }),
  };
}
