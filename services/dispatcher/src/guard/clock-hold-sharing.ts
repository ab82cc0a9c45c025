import type { Log } from '@postrider/shared/ports/log';
import type { ClockHoldRecord } from '@postrider/shared/ports/outage-guard';

interface ClockHoldSharingParts {
  readonly isHolding: () => boolean;
  readonly record: ClockHoldRecord;
  readonly log: Log;
}

/**
 * Shows other processes whether this one holds sending because of its clock. Writes follow one another, so that the latest
 * state is stored last; while the database is away, at most one waits.
 */
export function createClockHoldSharing({ isHolding, record, log }: ClockHoldSharingParts): () => void {
  let last = Promise.resolve();
  let isWaiting = false;
  const store = async () => {
    isWaiting = false;
    await record.publish(isHolding());
  };
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    last = last
      .then(store)
      .catch((err: unknown) =>
        log.debug(
          { event: 'clock.unshared', err },
          'that sending is held because of the clock could not be shared',
        ),
      );
  };
}
