import { createdOutcomes, settledOutcomes } from '@postrider/shared/domain/delivery-outcome';
import type { Platform } from '@postrider/shared/platform/platform';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import type { SettledObservation } from './engine/settling/pending-observation.js';

/** Reports the outcomes of observations that are stored. */
export function reportSettled({ isOn, report }: Platform['outcomes']) {
  return (settled: readonly SettledObservation[]): void => {
    if (!isOn) return;
    const outcomes = settled.flatMap(({ result, eventId }) =>
      eventId === null ? [] : settledOutcomes(result, eventId),
    );
    report(outcomes);
  };
}

/** Reports the rows that the fan-out adds. */
export function reportInserted(
  insert: FanOutStore['insert'],
  { outcomes: { isOn, report }, clock }: Pick<Platform, 'outcomes' | 'clock'>,
): FanOutStore['insert'] {
  if (!isOn) return insert;
  return async (rows, held) => {
    const inserted = await insert(rows, held);
    report(createdOutcomes(inserted, clock.now()));
    return inserted;
  };
}
