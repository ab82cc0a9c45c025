/**
 * Settles as `work` does, or after `ms` milliseconds as the result of `onTimeout`. The work itself is not cancelled;
 * how it ends after the time-out is ignored.
 */
export function withTimeout<T, Late>(
  work: Promise<T>,
  ms: number,
  onTimeout: () => Promise<Late>,
): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(onTimeout()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Waits for `work`, but no longer than `ms` milliseconds. */
export async function waitAtMost(work: Promise<unknown>, ms: number): Promise<void> {
  await withTimeout(work, ms, async () => {});
}
