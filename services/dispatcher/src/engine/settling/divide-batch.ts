import { needsNoTransaction } from '@postrider/shared/domain/needs-no-transaction';
import type { FeatureLevel } from '@postrider/shared/ports/feature-level';
import type { LatestStreaks } from './latest-streaks.js';
import type { PendingObservation } from './pending-observation.js';

export interface DivideParts {
  readonly latestStreaks: Pick<LatestStreaks, 'latest'>;
  readonly featureLevel: Pick<FeatureLevel, 'allows'>;
  /** The time until which this process certainly owns an endpoint, by the database's clock; null if it may not own it. */
  readonly ownedUntil: (endpointId: string) => Date | null;
}

export interface Divided {
  /** Attempts that change only their rows, each of a different delivery. They must be stored before `until`. */
  readonly alone: { readonly entries: readonly PendingObservation[]; readonly until: Date };
  /** Observations that need a transaction, or may need one. */
  readonly together: readonly PendingObservation[];
}

const FAR_AHEAD = new Date(8.64e15);

/**
 * Divides a batch by endpoint: an endpoint whose streak may change within the batch needs a transaction for all of its
 * observations, so that their order is kept. So does one that another process may own, because it may count failures there.
 */
export function divideBatch(batch: readonly PendingObservation[], parts: DivideParts): Divided {
  if (!parts.featureLevel.allows('embeddedAttempts'))
    return { alone: { entries: [], until: FAR_AHEAD }, together: batch };
  const alone: PendingObservation[] = [];
  const together: PendingObservation[] = [];
  let until = FAR_AHEAD;
  for (const [endpointId, entries] of Map.groupBy(batch, ({ observation }) => observation.endpointId)) {
    const ownedUntil = parts.ownedUntil(endpointId);
    if (ownedUntil === null || !areDistinct(entries) || !entries.every(isAlone(parts))) {
      together.push(...entries);
      continue;
    }
    alone.push(...entries);
    if (ownedUntil < until) until = ownedUntil;
  }
  return { alone: { entries: alone, until }, together };
}

/**
 * Whether an observation changes only its row, as far as this process knows. If the endpoint belonged to another process since it
 * was read, failures may have been counted there.
 */
export const isAlone =
  ({ latestStreaks }: Pick<DivideParts, 'latestStreaks'>) =>
  ({ job, known, observation }: PendingObservation): boolean => {
    if (job.hasMoved) return false;
    const endpoint = known.endpoint && latestStreaks.latest(known.endpoint);
    return needsNoTransaction({ delivery: known.delivery, endpoint }, observation);
  };

function areDistinct(entries: readonly PendingObservation[]): boolean {
  return new Set(entries.map(({ observation }) => observation.deliveryId)).size === entries.length;
}
