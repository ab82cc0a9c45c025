import { isTerminal } from '@postrider/shared/domain/delivery';
import { stepsOfEnd, stepsOfSettled } from '@postrider/shared/domain/delivery-stats';
import type { Platform } from '@postrider/shared/platform/platform';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import type { SettledObservation } from './engine/settling/pending-observation.js';

/** Counts the outcomes of observations that are stored. */
export function countSettled({ add }: Pick<Platform['stats'], 'add'>) {
  return (settled: readonly SettledObservation[]): void => {
    for (const { result, known } of settled) {
      const { delivery } = result.after;
      if (delivery !== null) add(delivery, stepsOfSettled(result, known.delivery));
    }
  };
}

/** Counts the rows that the fan-out stores as ended: held deliveries. */
export function countInserted(
  insert: FanOutStore['insert'],
  { stats, clock }: Pick<Platform, 'stats' | 'clock'>,
): FanOutStore['insert'] {
  return async (rows, held) => {
    const inserted = await insert(rows, held);
    const at = clock.now();
    for (const row of inserted) if (isTerminal(row)) stats.add(row, stepsOfEnd(row, { before: null, at }));
    return inserted;
  };
}
