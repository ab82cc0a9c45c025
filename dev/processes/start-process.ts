import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { guard } from './guard.js';

export interface ProcessSpec {
  /** Names the process in errors; the command by default. */
  readonly name?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /**
   * The file to which its output is appended. Without `onLine` the process writes to it directly, at no cost to
   * the caller.
   */
  readonly logFile?: string | undefined;
  /** Kills the process, as long as it runs. */
  readonly signal?: AbortSignal;
  readonly onLine?: ((line: string) => void) | undefined;
  /** Resolves when the process serves. The signal aborts when the process ends. */
  readonly untilReady?: (signal: AbortSignal) => Promise<unknown>;
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningProcess {
  readonly pid: number;
  /** Rejects, with the end of the log, when the process ends first or is not ready in time. */
  readonly ready: Promise<void>;
  readonly exited: Promise<Exit>;
  /** SIGTERM to the process and its children, SIGKILL after `graceMs`; resolves once it has ended. */
  stop(graceMs: number): Promise<Exit>;
  /** SIGKILL, without waiting. */
  kill(): void;
  signal(signal: NodeJS.Signals): void;
}

/**
 * The child waits for one line on descriptor 3 before it becomes the command: by then the guard has its id. If we are
 * killed in between, the descriptor closes and the child exits, so no child is ever left unguarded.
 */
const WAIT_THEN_EXEC = 'read -r _ <&3 || exit 1; exec "$@" 3<&-';

/** Starts a guarded process in a separate group, so that a Ctrl-C in the terminal reaches only us. */
export async function startProcess(spec: ProcessSpec): Promise<RunningProcess> {
  const { command, args, logFile, onLine } = spec;
  const file = logFile === undefined ? undefined : openSync(logFile, 'a', 0o600);
  const output = onLine === undefined ? (file ?? 'ignore') : 'pipe';
  const child = spawn('sh', ['-c', WAIT_THEN_EXEC, 'sh', command, ...args], {
    cwd: spec.cwd,
    env: spec.env ?? process.env,
    detached: true,
    stdio: ['ignore', output, output, 'pipe'],
  });
  const exited = new Promise<Exit>((resolve) => {
    // After the last line of output.
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  if (onLine !== undefined) readLines(child, file, onLine);
  else if (file !== undefined) closeSync(file);
  if (child.pid === undefined) throw new Error(`cannot start ${command}: ${describeExit(await exited)}`);
  const { pid } = child;
  await guard().watch(-pid);
  const gate = child.stdio[3] as Writable;
  gate.on('error', () => {});
  gate.end('\n');
  const kill = () => signalGroup(pid, 'SIGKILL');
  spec.signal?.addEventListener('abort', kill, { once: true });
  void exited.then(() => {
    guard().forget(-pid);
    spec.signal?.removeEventListener('abort', kill);
  });
  const ready = untilReady(spec, exited);
  ready.catch(() => {});
  return {
    pid,
    ready,
    exited,
    stop: (graceMs) => stop(pid, exited, graceMs),
    kill,
    signal: (signal) => signalGroup(pid, signal),
  };
}

function readLines(child: ChildProcess, file: number | undefined, onLine: (line: string) => void): void {
  for (const input of [child.stdout!, child.stderr!]) {
    createInterface({ input }).on('line', (line) => {
      if (file !== undefined) writeSync(file, `${line}\n`);
      onLine(line);
    });
  }
  if (file !== undefined) child.once('close', () => closeSync(file));
}

async function untilReady(spec: ProcessSpec, exited: Promise<Exit>): Promise<void> {
  const over = new AbortController();
  const failed = exited.then((exit) => {
    throw new Error(`${spec.name ?? spec.command} ended before it was ready (${describeExit(exit)})`);
  });
  try {
    await Promise.race([spec.untilReady?.(over.signal), failed]);
  } catch (error) {
    throw new Error((error as Error).message + endOfLog(spec), { cause: error });
  } finally {
    over.abort();
    failed.catch(() => {});
  }
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

/** Signals a process that leads a group, and its children. It is not an error if the process has already ended. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** For use in a sentence: `exit code 3`, `SIGKILL`. */
export function describeExit({ code, signal }: Exit): string {
  if (signal !== null) return signal;
  return code === null ? 'no such program' : `exit code ${code}`;
}

/** Runs a program to its end. @throws Error with the end of its log when it fails */
export async function runTool(tool: ProcessSpec, onStart?: (pid: number) => void): Promise<void> {
  const { pid, exited } = await startProcess(tool);
  onStart?.(pid);
  const exit = await exited;
  if (exit.code === 0) return;
  throw new Error(`${tool.name ?? tool.command} failed (${describeExit(exit)})${endOfLog(tool)}`);
}

const TAIL_LINES = 15;
/** Java writes dozens after the message of an exception. */
const FRAME_OF_JAVA = /^\t(at |\.\.\. \d+ more)/;

/** The last lines of a log, indented, without the frames of Java. */
function endOfLog({ logFile }: ProcessSpec): string {
  if (logFile === undefined) return '';
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  const last = lines.filter((line) => !FRAME_OF_JAVA.test(line)).slice(-TAIL_LINES);
  return [`; ${logFile} ends with`, ...last.map((line) => `  ${line}`)].join('\n');
}
