import { handledBy, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Clock } from '@postrider/shared/ports/clock';
import type { FindSendingHolds } from '@postrider/shared/ports/outage-guard';
import type { ReplayJobStore } from '../ports/replay-jobs.js';
import { createArrivals } from './arrivals.js';
import { batchEveryMs, createBatchLookahead, largestBatch } from './batch-pace.js';
import type { BatchStarts } from './batch-starts.js';
import { createBehindCheck } from './behind-check.js';
import { planBatch } from './plan-batch.js';
import { createRateBudget, type RateBudget } from './rate-budget.js';

export interface JobRunParts {
  readonly store: ReplayJobStore;
  readonly sendingHolds: FindSendingHolds;
  readonly clock: Clock;
  /** Limits the replays of all jobs of this process together. */
  readonly processBudget: RateBudget;
  /** Spaces the batches of all jobs of this process. */
  readonly batchStarts: BatchStarts;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

/** How often a job that waits renews its lease and looks for a reason to continue, in milliseconds. */
const WAIT_MS = 1_000;

/** Performs the next step of a job. @returns the job afterwards, or null when this process no longer has its lease */
export type JobStep = (job: ReplayJob) => Promise<ReplayJob | null>;

/** Runs a job step by step as long as this process has its lease: counts, then replays at the job's rate. */
export function createJobRun(parts: JobRunParts, { ratePerSecond }: ReplayJob): JobStep {
  const { store, sendingHolds, clock, processBudget, batchStarts, monotonicMs, sleep } = parts;
  const budget = createRateBudget(ratePerSecond, monotonicMs);
  const everyMs = batchEveryMs(ratePerSecond);
  const lookahead = createBatchLookahead();
  const behind = createBehindCheck(store);
  const awaitArrivals = createArrivals(parts);
  let tookMs = 0;

  /** While a clock is wrong, jobs continue until their replays wait: often it is the clock of one dispatcher of many. */
  const isOutage = async () => (await sendingHolds()).some(({ cause }) => cause === 'outage');
  const waitAs = async (job: ReplayJob, status: 'running' | 'paused') => {
    const renewed = await store.renew(job, status);
    if (renewed !== null) await sleep(WAIT_MS);
    return renewed;
  };
  /** Spends half of the time counting: other queries come first. Waits briefly after a slow slice, whose end renewed the lease. */
  const count: JobStep = async (job) => {
    const startedAt = monotonicMs();
    const counted = await store.count(job);
    await sleep(Math.min(monotonicMs() - startedAt, WAIT_MS));
    return counted;
  };
  /** @returns how many replays may start now; they are taken from the budgets */
  const take = (waitedMs: number) => {
    const own = budget.take(largestBatch(ratePerSecond, waitedMs + tookMs));
    const most = processBudget.take(own);
    budget.giveBack(own - most);
    return most;
  };
  const giveBack = (count: number) => {
    budget.giveBack(count);
    processBudget.giveBack(count);
  };
  const handleBatch = async (job: ReplayJob, most: number) => {
    const startedAt = monotonicMs();
    let replayed = 0;
    try {
      const batch = await store.replay(job, lookahead.of(most), planBatch(most, clock.now()));
      tookMs = monotonicMs() - startedAt;
      if (batch === null) return null;
      replayed = batch.replays.length;
      lookahead.handled({ replayed, skipped: handledBy(batch.job) - handledBy(job) - replayed });
      behind.replayed(batch.replays);
      return batch;
    } finally {
      giveBack(most - replayed);
    }
  };
  const replay: JobStep = async (job) => {
    const startedAt = monotonicMs();
    const untilNext = () => sleep(Math.max(0, startedAt + everyMs - monotonicMs()));
    const most = take(await batchStarts.next());
    if (most === 0) {
      await untilNext();
      return store.renew(job, 'running');
    }
    const batch = await handleBatch(job, most);
    // The part of the rate that skipped rows left unused is used at once.
    if (batch !== null && batch.replays.length === most) await untilNext();
    return batch === null ? null : batch.job;
  };

  return async (job) => {
    if (job.status === 'counting') return count(job);
    if (handledBy(job) >= job.matched) {
      const { held, skipped } = job;
      // The held deliveries of a job are those of one endpoint. Once that is deleted, nothing that arrives is replayed.
      const isOver = held === null || skipped.endpointDeleted > 0;
      return isOver ? store.end(job, 'succeeded') : awaitArrivals(job, held);
    }
    if (await isOutage()) return waitAs(job, 'paused');
    if (await behind.isBehind(job)) return waitAs(job, 'running');
    return replay(job);
  };
}
