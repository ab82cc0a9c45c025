interface SleepOptions {
  readonly signal?: AbortSignal;
  /** Whether the process keeps running for it. Default: true. */
  readonly ref?: boolean;
}

/** Resolves after a time, in milliseconds, by the global timer. Rejects with the signal's reason once that is aborted. */
export function sleep(ms: number, { signal, ref = true }: SleepOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (!ref) timer.unref();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
