import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Guard } from './guard.js';

export interface ProcessSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Where stdout and stderr go: appended to a file, or whatever the caller does with the streams. */
  readonly output: { readonly file: string } | { readonly take: (stream: Readable) => void };
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** SIGTERM to the process and its children, SIGKILL after `graceMs`; resolves once it has ended. */
  stop(graceMs: number): Promise<Exit>;
  /** SIGKILL at once. */
  kill(): void;
}

/**
 * The child waits for one line on descriptor 3 before it becomes the command: by then the guard knows it. Should we be
 * killed in between, the descriptor closes and the child ends, so no moment exists in which nobody looks after it.
 */
const WAIT_THEN_BECOME = 'read -r _ <&3 || exit 1; exec "$@" 3<&-';

/** Starts a process in its own group, so that a Ctrl-C in the terminal reaches only us, under the eyes of `guard`. */
export async function startProcess(spec: ProcessSpec, guard: Guard): Promise<RunningProcess> {
  const file = 'file' in spec.output ? openSync(spec.output.file, 'a') : undefined;
  const child = spawn('sh', ['-c', WAIT_THEN_BECOME, 'sh', spec.command, ...spec.args], {
    cwd: spec.cwd,
    env: spec.env ?? process.env,
    detached: true,
    stdio: ['ignore', file ?? 'pipe', file ?? 'pipe', 'pipe'],
  });
  if (file !== undefined) closeSync(file);
  const exited = untilExit(child);
  if (child.pid === undefined) throw new Error(`cannot start ${spec.command}: ${describeExit(await exited)}`);
  if ('take' in spec.output) takeStreams(child, spec.output.take);
  await release(child, child.pid, guard);
  const { pid } = child;
  void exited.then(() => guard.forget(pid));
  return {
    pid,
    exited,
    stop: (graceMs) => stop(pid, exited, graceMs),
    kill: () => signalGroup(pid, 'SIGKILL'),
  };
}

async function release(child: ChildProcess, pid: number, guard: Guard): Promise<void> {
  await guard.watchGroup(pid);
  const gate = child.stdio[3] as Writable;
  gate.on('error', () => {});
  gate.end('\n');
}

function takeStreams(child: ChildProcess, take: (stream: Readable) => void): void {
  for (const stream of [child.stdout, child.stderr]) if (stream !== null) take(stream);
}

function untilExit(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
}

async function stop(pid: number, exited: Promise<Exit>, graceMs: number): Promise<Exit> {
  signalGroup(pid, 'SIGTERM');
  signalGroup(pid, 'SIGCONT');
  const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), graceMs);
  try {
    return await exited;
  } finally {
    clearTimeout(timer);
  }
}

/** Signals a process that leads a group, and its children. One that has ended already is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** `exit code 3`, `SIGKILL`, for a sentence. */
export function describeExit({ code, signal }: Exit): string {
  if (signal !== null) return signal;
  return code === null ? 'no such program' : `exit code ${code}`;
}
