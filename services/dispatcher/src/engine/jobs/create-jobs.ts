import type { TurnLimit } from '@postrider/shared/runtime/turns';
import type { TrackedSource } from '../../offsets/open-offsets.js';
import { createEndpointScheduler, type EndpointScheduler } from '../scheduler/endpoint-scheduler.js';
import type { PoolLimits } from '../scheduler/pool-limits.js';
import { createRests } from '../scheduler/rests.js';
import { createDelayedJobs, type DelayedJobs } from './delayed-jobs.js';
import { isReplay, type Job } from './job.js';
import { createJobBudget, type JobBudget } from './job-budget.js';
import { createParkingLot, feedClassOf, type ParkingLot } from './parking.js';
import { createWorkload, type Workload } from './workload.js';

/** The jobs of a process, and what decides when each may start. */
export interface Jobs {
  readonly workload: Workload;
  readonly scheduler: EndpointScheduler<Job>;
  readonly budget: JobBudget;
  readonly delayed: DelayedJobs;
  readonly parking: ParkingLot;
}

interface JobsParts {
  /** With `jobs`, the maximum number of jobs in memory. */
  readonly limits: PoolLimits & { readonly jobs: number };
  readonly clockMs: () => number;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  /** The busy share of this process, 0 to 1. */
  readonly busy: () => number;
  readonly turn: TurnLimit;
  /** Called for each offset whose job is done. */
  readonly onDone: (source: TrackedSource) => void;
  /** Called when the POST of a job begins. */
  readonly onPostBegins: () => void;
  /** Called when an endpoint begins to wait for its rate, or to rest. */
  readonly onPaced: () => void;
  /** Called when a job was delayed or an endpoint was parked. */
  readonly onWaiting: () => void;
}

export function createJobs(parts: JobsParts): Jobs {
  const { limits, clockMs, monotonicMs, busy, turn, onDone, onPostBegins, onPaced, onWaiting } = parts;
  const scheduler = createEndpointScheduler<Job>(limits, monotonicMs, {
    isReplay,
    onPaced,
    restAfter: createRests(busy),
  });
  const budget = createJobBudget(limits.jobs, (workspaceId) => parking.reorder(workspaceId));
  const delayed = createDelayedJobs({ clockMs, monotonicMs, onAdded: onWaiting });
  const parking = createParkingLot({
    classOf: (endpointId) => feedClassOf(scheduler.standing(endpointId)),
    unprovenOf: budget.unprovenOf,
    onParked: onWaiting,
  });
  const workload = createWorkload({
    scheduler,
    delayed,
    parking,
    budget,
    clockMs,
    turn,
    onDone,
    onPostBegins,
  });
  return { workload, scheduler, budget, delayed, parking };
}
