import { createDelayHeap } from '../../src/engine/delay-heap.js';
import { createEndpointScheduler } from '../../src/engine/endpoint-scheduler.js';
import type { Job } from '../../src/engine/job.js';
import { createParkingLot } from '../../src/engine/parking.js';
import { createWorkload } from '../../src/engine/workload.js';
import type { Source } from '../../src/intake/open-offsets.js';

/** A due time in the past. */
export const DUE = 0;
/** The number of jobs at which an endpoint is parked. */
export const PARK_AT = 4;
export const ANSWERED = { durationMs: 1, timedOut: false };

/** A workload at time 1,000 that parks an endpoint with four jobs; `done` lists the offsets that are. */
export function aWorkload() {
  const done: Source[] = [];
  const scheduler = createEndpointScheduler<Job>({ perEndpoint: 2, total: 100, slow: 50, slowFromMs: 1_000 });
  const heap = createDelayHeap<Job>();
  const parking = createParkingLot();
  const work = createWorkload({
    scheduler,
    heap,
    parking,
    parkAt: PARK_AT,
    now: () => 1_000,
    onDone: (source) => done.push(source),
  });
  return { work, scheduler, heap, parking, done };
}
