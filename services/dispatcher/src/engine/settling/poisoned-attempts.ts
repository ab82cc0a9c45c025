import type { Log } from '@postrider/shared/ports/log';
import type { Workload } from '../jobs/workload.js';
import { createHeldBack, type HeldBackParts } from './held-back.js';
import type { PendingObservation } from './pending-observation.js';
import type { TryLater } from './try-later.js';

/** Attempts that the database rejects although it stores others. */
export interface PoisonedAttempts {
  /** Keeps an attempt to store it again later, or gives it up if there is no room. */
  handle(entry: PendingObservation, error: unknown): void;
}

interface PoisonedAttemptsParts extends HeldBackParts {
  readonly workload: Pick<Workload, 'acknowledge'>;
  readonly tryLater: TryLater;
  readonly log: Log;
}

export function createPoisonedAttempts(parts: PoisonedAttemptsParts): PoisonedAttempts {
  const { workload, tryLater, log } = parts;
  const heldBack = createHeldBack(parts);
  return {
    handle(entry, err) {
      const { deliveryId, traceId } = entry.job.message;
      log.error(
        { event: 'settle.poisoned', deliveryId, traceId, err },
        'the database rejects the record of an attempt although it stores others; it is tried again after growing delays: ' +
          'see err, often a validation rule or an index that was added',
      );
      // The job stays, so that the attempt is not made again from its message or its due row.
      if (heldBack.hold(entry)) workload.acknowledge(entry.job);
      else void tryLater(entry.job, entry.known.delivery);
    },
  };
}
