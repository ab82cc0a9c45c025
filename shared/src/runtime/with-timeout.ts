/**
 * Settles as `work` does, or after `ms` milliseconds as the result of `onTimeout`. The work itself is not cancelled;
 * how it ends after the time-out is ignored. If the event loop was blocked at the time-out, what arrived meanwhile is read
 * first, because timers run before it is.
 */
export function withTimeout<T, Late>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => Promise<Late>,
): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    let reading: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      reading = setImmediate(() => resolve(onTimeout()));
    }, ms);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      clearImmediate(reading);
    });
  });
}

/** Waits for `work`, but no longer than `ms` milliseconds. */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  await withTimeout(work, ms, async () => {});
}
