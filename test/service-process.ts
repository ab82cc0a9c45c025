import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type ServiceName = 'api' | 'dispatcher' | 'dlq-consumer';

/** A service as a process of its own, the way it runs in production. */
export interface ServiceProcess {
  readonly port: number;
  readonly metricsPort: number;
  /** Everything that it has written so far, a line each. */
  readonly output: readonly string[];
  /** The process ended. @returns its exit code, or the signal that ended it */
  readonly ended: Promise<number | string>;
  kill(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string>;
}

interface ReadyLine {
  readonly event?: string;
  readonly port?: number;
  readonly healthPort?: number;
  readonly metricsPort?: number;
}

/** Starts a service and resolves once it says that it is ready. @throws Error with its output when it ends before that */
export async function startService(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const main = fileURLToPath(new URL(`../../services/${name}/dist/src/main.js`, import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = endOf(child);
  const output: string[] = [];
  const ready = await Promise.race([
    readyLine(child, output),
    ended.then((end) => Promise.reject(new Error(`${name} ended with ${end} before it was ready`))),
  ]);
  return {
    port: ready.port ?? ready.healthPort ?? 0,
    metricsPort: ready.metricsPort ?? 0,
    output,
    ended,
    kill(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

async function endOf(child: ChildProcess): Promise<number | string> {
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal ?? code ?? 0;
}

/** Keeps all lines in `output`, and resolves with the one that says that it is ready. */
function readyLine(child: ChildProcess, output: string[]): Promise<ReadyLine> {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const entry = parse(line);
      output.push(line);
      if (entry.event === 'ready') resolve(entry);
      if (process.env.TEST_LOG_LEVEL !== undefined) console.log(line);
    });
  });
}

function parse(line: string): ReadyLine {
  try {
    return JSON.parse(line) as ReadyLine;
  } catch {
    return {};
  }
}
