import { setTimeout as wait } from 'node:timers/promises';
import type { Guard } from './guard.js';
import {
  describeExit,
  type Exit,
  type ProcessSpec,
  type RunningProcess,
  startProcess,
} from './start-process.js';

export interface Supervision {
  readonly name: string;
  /** Called for each start, so that a restart may differ from the first start. */
  readonly spec: () => ProcessSpec;
  /** Resolves when the process serves. Its rejection, or the end of the process, fails the first start. */
  readonly untilReady: (signal: AbortSignal) => Promise<void>;
  /** What to add to an error when the first start fails, such as the end of a log. */
  readonly explain?: () => string;
  readonly report: (line: string) => void;
  /** Called when it was started again and so has another process id. */
  readonly onRestart?: (() => void) | undefined;
  /** Gives up a first start that is still going on. */
  readonly signal?: AbortSignal;
  /** Time between SIGTERM and SIGKILL in `stop`. */
  readonly stopGraceMs: number;
}

export interface Supervised {
  readonly name: string;
  /** Of the present process. */
  readonly pid: number;
  /** Ends it for good and tells how it ended. */
  stop(): Promise<Exit>;
  kill(): void;
}

const SHORTEST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 10_000;
/** A process that served this long has shown that it can run: its next failure starts with the shortest wait again. */
const STEADY_AFTER_MS = 30_000;

/** The wait before start number `failures` + 1, doubling from half a second to ten. */
export function restartBackoffMs(failures: number): number {
  return Math.min(LONGEST_BACKOFF_MS, SHORTEST_BACKOFF_MS * 2 ** Math.max(0, failures - 1));
}

/**
 * Starts a process and, once it was ready, starts it again whenever it ends without being asked to.
 * @throws Error when it ends, or is not ready, at its first start; nothing is left running then
 */
export async function supervise(supervision: Supervision, guard: Guard): Promise<Supervised> {
  const stopping = new AbortController();
  const current = { running: await startFirst(supervision, guard) };
  const ended = keepRunning(supervision, guard, current, stopping.signal);
  return {
    name: supervision.name,
    get pid() {
      return current.running.pid;
    },
    stop: () => {
      stopping.abort();
      return ended;
    },
    kill: () => {
      stopping.abort();
      current.running.kill();
    },
  };
}

async function startFirst(supervision: Supervision, guard: Guard): Promise<RunningProcess> {
  const running = await startProcess(supervision.spec(), guard);
  const over = new AbortController();
  try {
    const signal = supervision.signal ? AbortSignal.any([over.signal, supervision.signal]) : over.signal;
    const exit = await Promise.race([supervision.untilReady(signal), running.exited]);
    if (exit !== undefined) throw new Error(`${supervision.name} ended at once (${describeExit(exit)})`);
    return running;
  } catch (error) {
    await running.stop(supervision.stopGraceMs);
    throw new Error(`${(error as Error).message}${supervision.explain?.() ?? ''}`, { cause: error });
  } finally {
    over.abort();
  }
}

async function keepRunning(
  supervision: Supervision,
  guard: Guard,
  current: { running: RunningProcess },
  stopping: AbortSignal,
): Promise<Exit> {
  for (let failures = 0; ; ) {
    const startedAt = performance.now();
    const exit = await Promise.race([current.running.exited, untilAborted(stopping)]);
    if (exit === 'aborted') break;
    failures = performance.now() - startedAt > STEADY_AFTER_MS ? 1 : failures + 1;
    supervision.report(`${supervision.name} ended (${describeExit(exit)}); starting it again`);
    await wait(restartBackoffMs(failures), undefined, { signal: stopping }).catch(() => {});
    if (stopping.aborted) return exit;
    current.running = await startAgain(supervision, guard, stopping);
    supervision.onRestart?.();
  }
  return current.running.stop(supervision.stopGraceMs);
}

async function startAgain(
  supervision: Supervision,
  guard: Guard,
  stopping: AbortSignal,
): Promise<RunningProcess> {
  const running = await startProcess(supervision.spec(), guard);
  const over = new AbortController();
  void running.exited.then(() => over.abort());
  void supervision.untilReady(AbortSignal.any([over.signal, stopping])).then(
    () => supervision.report(`${supervision.name} is back (pid ${running.pid})`),
    () => {},
  );
  return running;
}

function untilAborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}
