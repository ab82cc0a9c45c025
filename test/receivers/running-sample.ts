import { type ChildProcess, spawn } from 'node:child_process';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunningSample {
  /** How often each delivery was handled. */
  readonly handled: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

interface Start {
  readonly command: readonly string[];
  readonly folder: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

const START_MS = 120_000;
const POLL_EVERY_MS = 100;

/** Starts a sample and waits until it answers. */
export async function startSample({ command, folder, port, env }: Start): Promise<RunningSample> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own: `go run` starts the receiver as a child.
    detached: true,
  });
  const handled = new Map<string, number>();
  createInterface(child.stdout).on('line', (line) => {
    const id = /^handled (\S+)/.exec(line)?.[1];
    if (id !== undefined) handled.set(id, (handled.get(id) ?? 0) + 1);
  });
  await answers(port, child);
  return { handled, stop: () => stopGroup(child) };
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    if (await accepts(port)) return;
    await sleep(POLL_EVERY_MS);
  }
  await stopGroup(child);
  throw new Error('the receiver did not start');
}

/** Sends nothing: a sabotaged receiver would act on it. */
const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.pid === undefined) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGTERM');
  await exited;
}
