import { firstIdAt } from '@postrider/shared/domain/id';
import type { CleanupProgress, History, IdRange } from '@postrider/shared/ports/housekeeping';
import { inSlices } from './in-slices.js';

/** Maximum number of deliveries removed in one pass (specification, section 8). */
const PASS = 100;
/** Maximum number of deliveries that a pass reads: if an endpoint does not keep up, nearly all of its deliveries may be due. */
const ROWS_OF_A_SLICE = 10_000;

export interface Removal {
  readonly history: History;
  /** Data that was created, or deleted, before this time is expired. */
  readonly before: Date;
  readonly workers: number;
  readonly hasTime: () => boolean;
}

export interface Removed {
  readonly removed: number;
  /** Whether everything that was expired when the run began is removed. */
  readonly drained: boolean;
}

/**
 * Removes the deliveries that have expired since the last run, then those that were still due when an earlier run examined them.
 * The latter may be many, so a run that has no time for all of them leaves the others to the next one.
 */
export async function removeDeliveries({ history, before, workers, hasTime }: Removal): Promise<Removed> {
  const first = firstIdAt('delivery', new Date(0));
  const end = firstIdAt('delivery', before);
  let progress: CleanupProgress = (await history.progress()) ?? { examinedTo: first, againTo: first };
  let removed = 0;
  const handle = async (slice: IdRange) => {
    for (let from: string | null = slice.from; from !== null; ) {
      if (!hasTime()) return false;
      const pass = await history.removeExpired({ from, before: slice.before }, PASS);
      removed += pass.removed;
      from = pass.last;
    }
    return true;
  };
  const save = (change: Partial<CleanupProgress>) => {
    progress = { ...progress, ...change };
    return history.saveProgress(progress);
  };
  const examine = (range: IdRange, saveReached: (reached: string) => Promise<void>) =>
    inSlices({
      range,
      endOfSlice: (rest) => history.endOfSlice(rest, ROWS_OF_A_SLICE),
      workers,
      hasTime,
      handle,
      save: saveReached,
    });
  const examined = { from: progress.againTo, before: progress.examinedTo < end ? progress.examinedTo : end };
  const drained = await examine({ from: progress.examinedTo, before: end }, (examinedTo) =>
    save({ examinedTo }),
  );
  if (drained && (await examine(examined, (againTo) => save({ againTo })))) await save({ againTo: first });
  return { removed, drained };
}
