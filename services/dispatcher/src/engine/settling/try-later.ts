import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import { dueAgain } from '@postrider/shared/domain/retry-policy';
import type { Clock } from '@postrider/shared/ports/clock';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import type { Job } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';

type Row = Pick<DeliverySummary, 'id' | 'createdAt' | 'lastAttempt'>;

/**
 * Makes the attempt of a job without a slot again after a growing delay, so that the endpoint's other deliveries continue: from its
 * row, or by its job if the database rejects that update, too. Without a row there is no attempt to make. Never rejects.
 */
export type TryLater = (job: Job, row: Row | null) => Promise<void>;

interface TryLaterParts {
  readonly workload: Pick<Workload, 'finish' | 'setAside'>;
  readonly store: Pick<SettlementStore, 'moveDueTimes'>;
  readonly clock: Clock;
}

export function createTryLater({ workload, store, clock }: TryLaterParts): TryLater {
  return async (job, row) => {
    if (row === null) return workload.finish(job);
    const now = clock.now();
    const until = dueAgain(lastTimeOf(row), now);
    try {
      await store.moveDueTimes(new Map([[row.id, until]]));
      workload.finish(job);
    } catch {
      workload.setAside(job, until.getTime() - now.getTime());
    }
  };
}

/** When the row was last attempted or was created; null if it does not have that time, because it is damaged. */
function lastTimeOf({ lastAttempt, createdAt }: Row): Date | null {
  const at: unknown = lastAttempt?.attemptedAt ?? createdAt;
  return at instanceof Date && !Number.isNaN(at.getTime()) ? at : null;
}
