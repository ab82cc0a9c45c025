/**
 * Settles as `work` does, or rejects with the signal's reason once it is aborted. The work itself is not cancelled; how it
 * ends after that is ignored.
 */
export function abandonOn<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(signal.reason);
    if (signal.aborted) abandon();
    signal.addEventListener('abort', abandon, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon));
  });
}
