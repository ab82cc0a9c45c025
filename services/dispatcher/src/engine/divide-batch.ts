import { settlesAlone } from '@postrider/shared/domain/settle-alone';
import type { FeatureLevel } from '@postrider/shared/ports/feature-level';
import type { LatestStreaks } from './latest-streaks.js';
import type { Entry } from './settler.js';

export interface DivideParts {
  readonly latestStreaks: Pick<LatestStreaks, 'latest'>;
  readonly featureLevel: Pick<FeatureLevel, 'allows'>;
  /** The time until which this process certainly owns an endpoint, by the database's clock; null if it may not own it. */
  readonly ownedUntil: (endpointId: string) => Date | null;
}

export interface Divided {
  /** Attempts that change only their rows, each of a different delivery. They must be stored before `until`. */
  readonly alone: { readonly entries: readonly Entry[]; readonly until: Date };
  /** Entries that need a transaction, or may need one. */
  readonly together: readonly Entry[];
}

const FAR_AHEAD = new Date(8.64e15);

/**
 * Divides a batch by endpoint: an endpoint whose streak may change within the batch needs a transaction for all of its
 * observations, so that their order is kept. So does one that another process may own, because it may count failures there.
 */
export function divideBatch(batch: readonly Entry[], parts: DivideParts): Divided {
  if (!parts.featureLevel.allows('embeddedAttempts'))
    return { alone: { entries: [], until: FAR_AHEAD }, together: batch };
  const alone: Entry[] = [];
  const together: Entry[] = [];
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

/** Whether an entry changes only its row, as far as this process knows. */
export const isAlone =
  ({ latestStreaks }: Pick<DivideParts, 'latestStreaks'>) =>
  ({ known, observation }: Entry): boolean => {
    const endpoint = known.endpoint && latestStreaks.latest(known.endpoint);
    return settlesAlone({ delivery: known.delivery, endpoint }, observation);
  };

function areDistinct(entries: readonly Entry[]): boolean {
  return new Set(entries.map(({ observation }) => observation.deliveryId)).size === entries.length;
}
