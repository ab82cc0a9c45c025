import { isReplay, type Job } from '../../src/engine/job.js';
import { createJobBudget } from '../../src/engine/job-budget.js';
import { createParkingLot, feedClassOf } from '../../src/engine/parking.js';
import { createDelayHeap } from '../../src/engine/scheduler/delay-heap.js';
import { createEndpointScheduler } from '../../src/engine/scheduler/endpoint-scheduler.js';
import { poolLimits } from '../../src/engine/scheduler/pool-limits.js';
import { createWorkload } from '../../src/engine/workload.js';
import type { Source } from '../../src/offsets/open-offsets.js';

/** A due time in the past. */
export const DUE = 0;
/** The jobs in memory. A single endpoint may have half of them. */
export const JOBS = 10;
export const ANSWERED = { durationMs: 1, timedOut: false };

/** A workload at time 1,000 with room for ten jobs; `done` lists the offsets that are. */
export function aWorkload() {
  const done: Source[] = [];
  const time = { monotonicMs: 1_000 };
  const limits = poolLimits({ perEndpoint: 2, prompt: 100, lingering: 100 });
  const scheduler = createEndpointScheduler<Job>(limits, () => time.monotonicMs, { isReplay });
  const budget = createJobBudget(JOBS, (workspaceId) => parking.reorder(workspaceId));
  const heap = createDelayHeap<Job>();
  const parking = createParkingLot({
    classOf: (endpointId) => feedClassOf(scheduler.standing(endpointId)),
    unprovenOf: budget.unprovenOf,
  });
  const work = createWorkload({
    scheduler,
    heap,
    parking,
    budget,
    clockMs: () => 1_000,
    onDone: (source) => done.push(source),
  });
  return { work, scheduler, heap, parking, budget, time, done };
}
