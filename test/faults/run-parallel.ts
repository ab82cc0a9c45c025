import type { Fault } from './fault.js';

/**
 * Runs faults in parallel. Those that compare speeds run alone, at the end: others would disturb them.
 *
 * @throws what `run` throws; no other fault is started after that
 */
export async function runParallel<F extends Pick<Fault, 'healthy'>>(
  faults: readonly F[],
  concurrency: number,
  run: (fault: F) => Promise<void>,
): Promise<void> {
  const isComparing = ({ healthy }: F) => healthy !== undefined;
  const waiting = faults.filter((fault) => !isComparing(fault));
  const runWaiting = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift())
      await run(fault).catch((error: unknown) => {
        waiting.length = 0;
        throw error;
      });
  };
  await Promise.all(Array.from({ length: concurrency }, runWaiting));
  for (const fault of faults.filter(isComparing)) await run(fault);
}
