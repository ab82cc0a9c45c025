import type { Fault } from '../fault.js';

/**
 * Runs so many faults at a time. Those that compare speeds come last, one by one: beside others they would measure them.
 *
 * @throws what `run` throws; nothing is begun after that
 */
export async function inLanes<F extends Pick<Fault, 'healthy'>>(
  faults: readonly F[],
  lanes: number,
  run: (fault: F) => Promise<void>,
): Promise<void> {
  const measuring = faults.filter(({ healthy }) => healthy !== undefined);
  const waiting = faults.filter(({ healthy }) => healthy === undefined);
  const goOn = async () => {
    for (let fault = waiting.shift(); fault !== undefined; fault = waiting.shift()) {
      try {
        await run(fault);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, goOn));
  for (const fault of measuring) await run(fault);
}
