import type { Log } from '@postrider/shared/ports/log';
import type { Feeder } from './backlog/feeder.js';
import type { Reconciler } from './backlog/reconciler.js';
import { createDueTimer } from './due-timer.js';
import type { Intake } from './intake/intake.js';
import type { DelayedJobs } from './jobs/delayed-jobs.js';
import type { Workload } from './jobs/workload.js';

export interface Timers {
  /** Call when a job waits or an endpoint is parked: sets an earlier tick if one is needed. */
  arm(): void;
  /** Reconciles sooner after an assignment of partitions. */
  assigned(): void;
  stop(): void;
}

interface TimerParts {
  readonly workload: Pick<Workload, 'wake' | 'isQueued' | 'parkQueueOf'>;
  readonly delayed: Pick<DelayedJobs, 'nextInMs'>;
  readonly offsets: Pick<Intake, 'heads'>;
  readonly feeder: Pick<Feeder, 'feed'>;
  readonly reconciler: Reconciler;
  /** Whether endpoints are parked. */
  readonly isFeeding: () => boolean;
  readonly monotonicMs: () => number;
  readonly kick: () => void;
  readonly log: Log;
}

/** Minimum time between ticks, in milliseconds; a waiting job may be queued this long after it is due. */
const TICK_MS = 20;
/** Maximum time between ticks while jobs wait, in milliseconds, because the clock may be corrected. */
const LONGEST_TICK_MS = 1_000;
const HEAD_CHECK_MS = 1_000;
/** How long a queued job may block the position of its partition, in milliseconds. */
const HEAD_PATIENCE_MS = 5_000;
const RECONCILE_MS = 30_000;
const RECONCILE_GRACE_MS = 30_000;
/** Shorter after an assignment, because another process may have read the messages of these rows. */
const ASSIGNED_GRACE_MS = 2_000;
const ASSIGNED_AGAIN_MS = 10_000;
/** The second pass finds rows that became due until shortly after the assignment. Messages of later rows arrive here. */
const ASSIGNED_AGAIN_GRACE_MS = ASSIGNED_AGAIN_MS - ASSIGNED_GRACE_MS;

/**
 * Starts the periodic work of the engine. Each tick compares due times with the clock, so nothing runs early. Without
 * waiting jobs and parked endpoints there are no ticks.
 */
export function startTimers(parts: TimerParts): Timers {
  const { workload, delayed, offsets, feeder, reconciler, isFeeding, monotonicMs, kick, log } = parts;
  const logFailure = (error: unknown) =>
    log.warn(
      { event: 'reconcile.failed', err: error },
      'overdue rows could not be queried; the next pass queries them again',
    );
  const reconcileAll = (graceMs: number) => void reconciler.reconcileAll(graceMs).catch(logFailure);
  const ticks = createDueTimer({
    nextAt() {
      const inMs = isFeeding() ? 0 : delayed.nextInMs();
      return inMs === null ? null : monotonicMs() + inMs;
    },
    timeMs: monotonicMs,
    tickMs: TICK_MS,
    longestMs: LONGEST_TICK_MS,
    onDue() {
      const inMs = delayed.nextInMs();
      if (inMs !== null && inMs <= 0) {
        workload.wake();
        kick();
      }
      feeder.feed();
    },
  });
  const overdueHeads = createHeadPatience(HEAD_PATIENCE_MS);
  const checkHeads = () => {
    const heads = offsets.heads().filter(({ key }) => workload.isQueued(key));
    for (const key of overdueHeads(
      heads.map((head) => head.key),
      monotonicMs(),
    ))
      workload.parkQueueOf(key);
  };
  let afterAssignment: NodeJS.Timeout | null = null;
  const timers = [
    setInterval(checkHeads, HEAD_CHECK_MS),
    setInterval(() => void reconciler.reconcileNext(RECONCILE_GRACE_MS).catch(logFailure), RECONCILE_MS),
  ];
  ticks.arm();
  return {
    arm: ticks.arm,
    assigned() {
      reconcileAll(ASSIGNED_GRACE_MS);
      if (afterAssignment !== null) clearTimeout(afterAssignment);
      afterAssignment = setTimeout(() => reconcileAll(ASSIGNED_AGAIN_GRACE_MS), ASSIGNED_AGAIN_MS);
    },
    stop() {
      ticks.stop();
      for (const timer of timers) clearInterval(timer);
      if (afterAssignment !== null) clearTimeout(afterAssignment);
    },
  };
}

/** @returns a function that takes the queued heads and returns those that have been queued for `patienceMs` */
export function createHeadPatience(
  patienceMs: number,
): (heads: readonly string[], now: number) => readonly string[] {
  let since = new Map<string, number>();
  return (heads, now) => {
    since = new Map(heads.map((key) => [key, since.get(key) ?? now]));
    return heads.filter((key) => now - (since.get(key) ?? now) >= patienceMs);
  };
}
