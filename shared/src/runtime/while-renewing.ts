/**
 * Performs a task that may take longer than a lease, and renews the lease meanwhile. A failed renewal is left to the next one. No renewal
 * is in progress any more when the task has ended, so that the lease can be given up.
 */
export async function whileRenewing<Result>(
  renew: () => Promise<unknown>,
  everyMs: number,
  task: () => Promise<Result>,
): Promise<Result> {
  let renewing: Promise<unknown> | null = null;
  const renewUnlessBusy = () => {
    renewing ??= renew()
      .catch(() => {})
      .finally(() => {
        renewing = null;
      });
  };
  const timer = setInterval(renewUnlessBusy, everyMs);
  try {
    return await task();
  } finally {
    clearInterval(timer);
    await renewing;
  }
}
