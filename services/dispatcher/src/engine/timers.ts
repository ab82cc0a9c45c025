import type { Log } from '@postrider/shared/ports/log';
import type { DelayHeap } from './delay-heap.js';
import type { Feeder } from './feeder.js';
import type { Intake } from './intake.js';
import type { Job } from './job.js';
import type { Workload } from './workload.js';

export interface Timers {
  /** Partitions came or went: rows that nobody speaks for are looked for sooner. */
  assigned(): void;
  stop(): void;
}

export interface TimerParts {
  readonly workload: Pick<Workload, 'wake' | 'isQueued' | 'parkQueueOf'>;
  readonly heap: Pick<DelayHeap<Job>, 'nextDue'>;
  readonly offsets: Pick<Intake, 'heads'>;
  readonly feeder: Feeder;
  readonly now: () => number;
  readonly kick: () => void;
  readonly log: Log;
}

/** How late a waiting job may notice that it is due, in milliseconds. */
const TICK_MS = 20;
const HEAD_CHECK_MS = 1_000;
/** A queued job may hold its partition back for this long. */
const HEAD_PATIENCE_MS = 5_000;
const RECONCILE_MS = 30_000;
const RECONCILE_GRACE_MS = 30_000;
/** After an assignment, rows are missed sooner: their messages may have been in another process's hands. */
const ASSIGNED_GRACE_MS = 2_000;
const ASSIGNED_AGAIN_MS = 10_000;

/** What the engine does by the clock. A due time is compared with the clock again when its tick comes: never early. */
export function startTimers({ workload, heap, offsets, feeder, now, kick, log }: TimerParts): Timers {
  const reconcile = (graceMs: number) => {
    feeder
      .reconcile(graceMs)
      .catch((error: unknown) =>
        log.warn({ event: 'reconcile.failed', err: error }, 'overdue rows could not be looked for'),
      );
  };
  const tick = () => {
    const due = heap.nextDue();
    if (due !== null && due <= now()) {
      workload.wake(now());
      kick();
    }
    feeder.feed();
  };
  const patience = createHeadPatience(HEAD_PATIENCE_MS);
  const checkHeads = () => {
    const heads = offsets.heads().filter(({ key }) => workload.isQueued(key));
    for (const key of patience(
      heads.map((head) => head.key),
      now(),
    ))
      workload.parkQueueOf(key);
  };
  let afterAssignment: NodeJS.Timeout | null = null;
  const timers = [
    setInterval(tick, TICK_MS),
    setInterval(checkHeads, HEAD_CHECK_MS),
    setInterval(() => reconcile(RECONCILE_GRACE_MS), RECONCILE_MS),
  ];
  return {
    assigned() {
      reconcile(ASSIGNED_GRACE_MS);
      if (afterAssignment !== null) clearTimeout(afterAssignment);
      afterAssignment = setTimeout(() => reconcile(ASSIGNED_GRACE_MS), ASSIGNED_AGAIN_MS);
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
      if (afterAssignment !== null) clearTimeout(afterAssignment);
    },
  };
}

/** @returns a function that is told the queued heads and answers with those that have been so for `patienceMs` */
export function createHeadPatience(
  patienceMs: number,
): (heads: readonly string[], now: number) => readonly string[] {
  let since = new Map<string, number>();
  return (heads, now) => {
    since = new Map(heads.map((key) => [key, since.get(key) ?? now]));
    return heads.filter((key) => now - (since.get(key) ?? now) >= patienceMs);
  };
}
