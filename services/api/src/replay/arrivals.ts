import { type HeldPeriod, handledBy, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Clock } from '@postrider/shared/ports/clock';
import type { ReplayJobStore } from '../ports/replay-jobs.js';

interface ArrivalParts {
  readonly store: Pick<ReplayJobStore, 'countArrivals' | 'end' | 'rest'>;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
}

const SHORTEST_MS = 5_000;
/** The wait for the next look, as a share of the time since the period's end: late rows are rare, and most arrive soon. */
const GROWTH = 1 / 4;
/** The maximum share of the time for looks, each of which reads all rows of the period. */
const SHARE = 0.05;

/**
 * Finds rows of a disabled period that arrive after its end, and ends the job once none can arrive any more. Between two
 * looks no process runs the job, so that its slot is free for others.
 */
export function createArrivals({ store, clock, monotonicMs }: ArrivalParts) {
  let nextAt = Number.NEGATIVE_INFINITY;
  /** The job ends with its first look after `until`. */
  const distanceMs = ({ createdAt }: ReplayJob, until: Date) => {
    const now = clock.now().getTime();
    const grown = (now - createdAt.getTime()) * GROWTH;
    return Math.max(SHORTEST_MS, Math.min(grown, until.getTime() + 1 - now));
  };
  const look = async (job: ReplayJob, { until }: HeldPeriod): Promise<ReplayJob | null> => {
    const startedAt = monotonicMs();
    const isLast = clock.now() > until;
    const counted = await store.countArrivals(job);
    const tookMs = monotonicMs() - startedAt;
    nextAt = monotonicMs() + Math.max(distanceMs(job, until), tookMs / SHARE);
    const isDone = counted !== null && handledBy(counted) >= counted.matched;
    return isLast && isDone ? store.end(counted, 'succeeded') : counted;
  };
  /** Takes the next step of a job whose matched deliveries are all handled. */
  return async (job: ReplayJob, period: HeldPeriod): Promise<ReplayJob | null> => {
    if (monotonicMs() >= nextAt) return look(job, period);
    await store.rest(job, new Date(clock.now().getTime() + nextAt - monotonicMs()));
    return null;
  };
}
