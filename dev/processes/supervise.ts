import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, type Exit, type RunningProcess } from './start-process.js';

export interface Supervision {
  readonly name: string;
  readonly start: () => Promise<RunningProcess>;
  readonly report: (line: string) => void;
  /** Called after each restart: the process id has changed. */
  readonly onRestart?: (() => void) | undefined;
  /** Cancels the first start. */
  readonly signal?: AbortSignal;
  /** Time between SIGTERM and SIGKILL in `stop`. */
  readonly stopGraceMs: number;
}

export interface Supervised {
  readonly name: string;
  /** Of the current process. */
  readonly pid: number;
  /** Ends it without a restart. */
  stop(): Promise<Exit>;
}

const SHORTEST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 10_000;
/** After a process has run this long, its next failure starts with the shortest back-off again. */
const STEADY_AFTER_MS = 30_000;

/** The wait before start number `failures` + 1, doubling from half a second to ten. */
export function restartBackoffMs(failures: number): number {
  return Math.min(LONGEST_BACKOFF_MS, SHORTEST_BACKOFF_MS * 2 ** Math.max(0, failures - 1));
}

/**
 * Starts a process, waits until it is ready, and restarts it whenever it ends unexpectedly.
 * @throws Error when its first start fails; no process is left running then
 */
export async function supervise(supervision: Supervision): Promise<Supervised> {
  const { name, start, report, onRestart, stopGraceMs } = supervision;
  let current = await startFirst(supervision);
  const stopping = new AbortController();
  const aborted = once(stopping.signal, 'abort').then(() => null);
  const keepRunning = async (): Promise<Exit> => {
    for (let failures = 0; ; ) {
      const startedAt = performance.now();
      const exit = await Promise.race([current.exited, aborted]);
      if (exit === null) return current.stop(stopGraceMs);
      failures = performance.now() - startedAt > STEADY_AFTER_MS ? 1 : failures + 1;
      report(`${name} ended (${describeExit(exit)}); restarting it`);
      await sleep(restartBackoffMs(failures), undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return exit;
      current = await start();
      const { pid, ready } = current;
      ready.then(() => report(`${name} is back (pid ${pid})`)).catch(() => {});
      onRestart?.();
    }
  };
  const ended = keepRunning();
  return {
    name,
    get pid() {
      return current.pid;
    },
    stop() {
      stopping.abort();
      return ended;
    },
  };
}

async function startFirst({ start, signal, stopGraceMs }: Supervision): Promise<RunningProcess> {
  signal?.throwIfAborted();
  const running = await start();
  const cancel = () => void running.stop(stopGraceMs);
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await running.ready;
    return running;
  } catch (error) {
    await running.stop(stopGraceMs);
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
