import type { Clock } from '@postrider/shared/ports/clock';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import type { Workload } from '../jobs/workload.js';
import { type DivideParts, isAlone } from './divide-batch.js';
import { createLatestStreaks, type LatestStreaks } from './latest-streaks.js';
import { createPoisonedAttempts } from './poisoned-attempts.js';
import { createSettleBatch } from './settle-batch.js';
import { createSettler, type Settler, type SettlerParts } from './settler.js';

/** What settles observations, and the streaks that it left. */
export interface Settling {
  readonly settler: Settler;
  readonly latestStreaks: LatestStreaks;
}

interface SettlingParts
  extends Pick<DivideParts, 'featureLevel' | 'ownedUntil'>,
    Pick<SettlerParts, 'isDatabaseAway' | 'onSettled' | 'createPacer' | 'sleep' | 'log'> {
  readonly store: SettlementStore;
  readonly workload: Pick<Workload, 'acknowledge' | 'finish' | 'setAside'>;
  readonly clock: Clock;
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
  const { workload, limits, onPoisoned } = parts;
  const latestStreaks = createLatestStreaks();
  const settler = createSettler({
    ...parts,
    settle: createSettleBatch({ ...parts, latestStreaks }),
    maxBatch: limits.settleBatch,
    lanes: limits.settleLanes,
    isAlone: isAlone({ latestStreaks }),
    // There may never be others that show which observation is at fault, and meanwhile nothing of the partition could be committed.
    onRejected(entries) {
      for (const { job } of entries) workload.acknowledge(job);
    },
    onPoisoned(entry, error) {
      poisonedAttempts.handle(entry, error);
      onPoisoned();
    },
  });
  const poisonedAttempts = createPoisonedAttempts({ ...parts, ...limits, again: settler.add });
  return { settler, latestStreaks };
}
