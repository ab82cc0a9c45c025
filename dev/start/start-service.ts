import { join } from 'node:path';
import type { Guard } from '../processes/guard.js';
import { type Supervised, supervise } from '../processes/supervise.js';
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
export async function startService({
  name,
  env,
  guard,
  report,
  onRestart,
}: ServiceStart): Promise<Supervised> {
  const file = join(PLACES.logs, `${name}.log`);
  const ready = createSignal();
  let hasBeenReady = false;
  const output = followOutput(file, (line) => {
    const read = readLogLine(line, hasBeenReady);
    if (read.kind === 'ready') {
      hasBeenReady = true;
      ready.give();
    }
    if (read.kind === 'shown') report(`[${name}] ${read.text}`);
  });
  const args = [join(ROOT, entryPoint(name))];
  return supervise(
    {
      name,
      spec: () => ({ command: process.execPath, args, env, cwd: ROOT, output }),
      untilReady: (signal) => ready.wait(`${name} being ready`, signal),
      explain: () => `; the end of ${file}:\n${tail(file)}`,
      report,
      onRestart,
      stopGraceMs: STOP_GRACE_MS,
    },
    guard,
  );
}

interface ReadySignal {
  give(): void;
  /** Resolves at the next `give`. */
  wait(what: string, signal: AbortSignal): Promise<void>;
}

function createSignal(): ReadySignal {
  const target = new EventTarget();
  return {
    give: () => target.dispatchEvent(new Event('ready')),
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
