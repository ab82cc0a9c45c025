import { dueAgain } from '@postrider/shared/domain/retry-policy';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import type { Workload } from '../jobs/workload.js';
import { createHeldBack, type HeldBackParts } from './held-back.js';
import type { PendingObservation } from './pending-observation.js';

/** Attempts that the database rejects although it stores others. */
export interface PoisonedAttempts {
  /** Keeps an attempt to store it again later, or gives it up if there is no room. */
  handle(entry: PendingObservation, error: unknown): void;
}

interface PoisonedAttemptsParts extends HeldBackParts {
  readonly workload: Pick<Workload, 'acknowledge' | 'finish' | 'setAside'>;
  readonly store: Pick<SettlementStore, 'moveDueTimes'>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createPoisonedAttempts(parts: PoisonedAttemptsParts): PoisonedAttempts {
  const { workload, store, clock, log } = parts;
  const heldBack = createHeldBack(parts);
  /** The attempt is made again after a growing delay: from its row, or by its job if the database rejects that update too. */
  const giveUp = async ({ job, known: { delivery } }: PendingObservation) => {
    if (delivery === null) return workload.finish(job);
    const now = clock.now();
    const until = dueAgain(delivery.lastAttempt?.attemptedAt ?? delivery.createdAt, now);
    try {
      await store.moveDueTimes(new Map([[delivery.id, until]]));
      workload.finish(job);
    } catch {
      workload.setAside(job, until.getTime() - now.getTime());
    }
  };
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
      else void giveUp(entry);
    },
  };
}
