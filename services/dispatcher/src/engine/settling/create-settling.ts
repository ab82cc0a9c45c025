import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import type { Workload } from '../jobs/workload.js';
import { type DivideParts, isAlone } from './divide-batch.js';
import { createLatestStreaks, type LatestStreaks } from './latest-streaks.js';
import type { PendingObservation } from './pending-observation.js';
import { createPoisonedAttempts } from './poisoned-attempts.js';
import { createSettleBatch } from './settle-batch.js';
import { createSettler, type Settler, type SettlerParts } from './settler.js';
import type { TryLater } from './try-later.js';

/** What settles observations, and the streaks that it left. */
export interface Settling {
  readonly settler: Settler;
  readonly latestStreaks: LatestStreaks;
}

interface SettlingParts
  extends Pick<DivideParts, 'featureLevel' | 'ownedUntil'>,
    Pick<SettlerParts, 'isDatabaseAway' | 'onSettled' | 'createPacer' | 'sleep' | 'log'> {
  readonly store: SettlementStore;
  readonly workload: Pick<Workload, 'acknowledge'>;
  readonly tryLater: TryLater;
  readonly monotonicMs: () => number;
  readonly retryStepMs: number;
  readonly limits: SettlingLimits;
  readonly later: (task: () => void, ms: number) => void;
  /** Called for each attempt that cannot be recorded although others can. */
  readonly onPoisoned: () => void;
}

export interface SettlingLimits {
  /** Maximum number of attempts that the database rejected and that are kept to be stored later. */
  readonly maxHeldBack: number;
  /** Maximum number of observations in one commit. */
  readonly settleBatch: number;
  /** Number of lanes of each kind. */
  readonly settleLanes: number;
}

export function createSettling(parts: SettlingParts): Settling {
  const { workload, monotonicMs, limits, onPoisoned, log } = parts;
  const latestStreaks = createLatestStreaks();
  /** A rejected attempt is tried again every second. */
  const mayLogRejected = createLogThrottle({ monotonicMs });
  const logRejected = (entries: readonly PendingObservation[], err: unknown) => {
    const [first] = entries;
    if (first === undefined || !mayLogRejected()) return;
    const { deliveryId, traceId } = first.job.message;
    log.error(
      { event: 'settle.rejected', size: entries.length, deliveryId, traceId, err },
      'the database rejects the records of attempts, and there are no others that it stores; they are tried again: ' +
        'see err, often a validation rule or an index that was added',
    );
  };
  const settler = createSettler({
    ...parts,
    settle: createSettleBatch({ ...parts, latestStreaks }),
    maxBatch: limits.settleBatch,
    lanes: limits.settleLanes,
    isAlone: isAlone({ latestStreaks }),
    // There may never be others that show which observation is at fault, and meanwhile nothing of the partition could be committed.
    onRejected(entries, error) {
      for (const { job } of entries) workload.acknowledge(job);
      logRejected(entries, error);
    },
    onPoisoned(entry, error) {
      poisonedAttempts.handle(entry, error);
      onPoisoned();
    },
  });
  const poisonedAttempts = createPoisonedAttempts({ ...parts, ...limits, again: settler.add });
  return { settler, latestStreaks };
}
