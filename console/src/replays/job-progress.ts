import type { components } from '@postrider/client';
import { skippedOf } from './skipped.js';

type ReplayJob = components['schemas']['ReplayJob'];

export interface JobProgress {
  /** Deliveries that were replayed or skipped. */
  readonly done: number;
  /** From 0 to 100; null while the job still counts. */
  readonly percent: number | null;
  /** Deliveries per second since the start; null before it, of a dry run, and while the job only waits for late deliveries. */
  readonly perSecond: number | null;
  /** All that was matched is done, but late deliveries of a disabled period may still arrive. */
  readonly isWaiting: boolean;
}

export function jobProgress(job: ReplayJob, nowMs: number): JobProgress {
  const { matched, replayed, startedAt, endedAt, dryRun, status } = job;
  const done = replayed + skippedOf(job);
  const isWaiting = !dryRun && status === 'running' && done === matched;
  const hasSpeed = startedAt !== null && !dryRun && !isWaiting;
  return {
    done,
    percent: matched === null ? null : matched === 0 ? 100 : Math.min(100, (done / matched) * 100),
    perSecond: hasSpeed ? done / secondsBetween(startedAt, endedAt, nowMs) : null,
    isWaiting,
  };
}

/** At least one second, so that a job that has just started shows no absurd rate. */
function secondsBetween(startedAt: string, endedAt: string | null, nowMs: number): number {
  const endMs = endedAt === null ? nowMs : Date.parse(endedAt);
  return Math.max(1, (endMs - Date.parse(startedAt)) / 1_000);
}
