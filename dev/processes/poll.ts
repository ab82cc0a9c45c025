import { setTimeout as sleep } from 'node:timers/promises';

export interface PollOptions {
  readonly everyMs: number;
  readonly timeoutMs: number;
  /** Names the awaited event in the error. */
  readonly what: string;
  readonly signal?: AbortSignal;
}

/**
 * Calls `probe` until it returns a value; a rejection counts as "not yet".
 * @throws Error after `timeoutMs` with the last rejection as its cause, or when the signal aborts
 */
export async function poll<T>(probe: () => Promise<T | undefined>, options: PollOptions): Promise<T> {
  const deadline = performance.now() + options.timeoutMs;
  let last: unknown;
  while (performance.now() < deadline) {
    options.signal?.throwIfAborted();
    try {
      const value = await probe();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    await sleep(options.everyMs, undefined, { ...(options.signal && { signal: options.signal }) });
  }
  const reason = last instanceof Error ? `: ${last.message}` : '';
  throw new Error(`${options.what} did not happen within ${options.timeoutMs / 1000} s${reason}`, {
    cause: last,
  });
}
