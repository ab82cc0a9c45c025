import { handledBy, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Clock } from '@postrider/shared/ports/clock';
import type { ReplayJobStore } from '../ports/replay-jobs.js';
import { createArrivals } from './arrivals.js';
import { createBehindCheck } from './behind-check.js';
import { planBatch } from './plan-batch.js';
import { createRateBudget, type RateBudget } from './rate-budget.js';
import type { SendingGuard } from './sending-guard.js';

export interface JobRunParts {
  readonly store: ReplayJobStore;
  readonly guard: SendingGuard;
  readonly clock: Clock;
  /** Limits the replays of all jobs of this process together. */
  readonly processBudget: RateBudget;
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
}

/** The time between two batches of a job, in milliseconds. */
const BATCH_EVERY_MS = 250;
/** The most matched deliveries that one transaction handles. */
const LARGEST_BATCH = 250;
/** How often a job that waits renews its lease and looks for a reason to go on, in milliseconds. */
const WAIT_MS = 1_000;

/** Performs the next step of a job. @returns the job afterwards, or null when this process no longer has its lease */
export type NextStep = (job: ReplayJob) => Promise<ReplayJob | null>;

/** Runs a job step by step as long as this process has its lease: counts, then replays at the job's rate. */
export function createJobRun(parts: JobRunParts, { ratePerSecond }: ReplayJob): NextStep {
  const { store, guard, clock, monotonic, pause } = parts;
  const budget = createRateBudget(ratePerSecond, monotonic);
  const behind = createBehindCheck(store, monotonic);
  const awaitArrivals = createArrivals(parts);

  const waitAs = async (job: ReplayJob, status: 'running' | 'paused') => {
    const renewed = await store.renew(job, status);
    if (renewed !== null) await pause(WAIT_MS);
    return renewed;
  };
  /** Counts half of the time at most: other queries come first. */
  const count: NextStep = async (job) => {
    const startedAt = monotonic();
    const counted = await store.count(job);
    await pause(monotonic() - startedAt);
    return counted;
  };
  const replay = async (job: ReplayJob, most: number) => {
    const startedAt = monotonic();
    const batch = await store.replay(job, LARGEST_BATCH, planBatch(most, clock.now()));
    if (batch === null) return null;
    const unused = most - batch.replays.length;
    budget.giveBack(unused);
    parts.processBudget.giveBack(unused);
    behind.replayed(batch.replays.map(({ endpointId }) => endpointId));
    if (unused === 0) await pause(Math.max(0, startedAt + BATCH_EVERY_MS - monotonic()));
    return batch.job;
  };

  return async (job) => {
    if (job.status === 'counting') return count(job);
    if (handledBy(job) >= job.matched) {
      return job.held === null ? store.end(job, 'succeeded') : awaitArrivals(job, job.held);
    }
    if (await guard.isHeld()) return waitAs(job, 'paused');
    if (await behind.isBehind()) return waitAs(job, 'running');
    const own = budget.take(LARGEST_BATCH);
    const most = parts.processBudget.take(own);
    budget.giveBack(own - most);
    if (most > 0) return replay(job, most);
    await pause(BATCH_EVERY_MS);
    return store.renew(job, 'running');
  };
}
