import { type HeldPeriod, handledBy, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Clock } from '@postrider/shared/ports/clock';
import type { ReplayJobStore } from '../ports/replay-jobs.js';

interface ArrivalParts {
  readonly store: Pick<ReplayJobStore, 'countArrivals' | 'end' | 'rest'>;
  readonly clock: Clock;
  readonly monotonic: () => number;
}

const LOOK_EVERY_MS = 5_000;
/** Looking reads all rows of the period: it takes at most this share of the time. */
const SHARE = 0.05;

/**
 * Finds rows of a disabled period that arrive after its end, and ends the job once none can arrive any more. Between two
 * looks no process runs the job, so that others have its place.
 */
export function createArrivals({ store, clock, monotonic }: ArrivalParts) {
  let nextAt = Number.NEGATIVE_INFINITY;
  const look = async (job: ReplayJob, { until }: HeldPeriod): Promise<ReplayJob | null> => {
    const startedAt = monotonic();
    const isLast = clock.now() > until;
    const counted = await store.countArrivals(job);
    const tookMs = monotonic() - startedAt;
    nextAt = monotonic() + Math.max(LOOK_EVERY_MS, tookMs / SHARE);
    const isDone = counted !== null && handledBy(counted) >= counted.matched;
    return isLast && isDone ? store.end(counted, 'succeeded') : counted;
  };
  /** Takes the next step of a job of which nothing is left. */
  return async (job: ReplayJob, period: HeldPeriod): Promise<ReplayJob | null> => {
    if (monotonic() >= nextAt) return look(job, period);
    await store.rest(job, new Date(clock.now().getTime() + nextAt - monotonic()));
    return null;
  };
}
