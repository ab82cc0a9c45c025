import { countByKey } from './count-by-key.js';
import type { Job } from './job.js';
import type { DelayHeap } from './scheduler/delay-heap.js';

/** The states of a job that is queued later. */
export type DelayedState = Extract<Job['state'], 'waiting' | 'waiting-without-offsets'>;

/** The jobs in the heap, counted by endpoint. */
export interface DelayedJobs {
  /** Delays a job until a time, in milliseconds. */
  add(job: Job, state: DelayedState, until: number): void;
  /** Removes and returns the job that was due first; null if none is due. */
  next(now: number): Job | null;
  /** The number of an endpoint's jobs in a state. */
  count(state: DelayedState, endpointId: string): number;
  /** Removes and returns the jobs that match. */
  removeWhere(matches: (job: Job) => boolean): readonly Job[];
}

export function createDelayedJobs(heap: Pick<DelayHeap<Job>, 'add' | 'pop' | 'removeWhere'>): DelayedJobs {
  const counts: Record<DelayedState, Map<string, number>> = {
    waiting: new Map(),
    'waiting-without-offsets': new Map(),
  };
  const uncount = ({ state, message: { endpointId } }: Job) => {
    if (state === 'waiting' || state === 'waiting-without-offsets') countByKey(counts[state], endpointId, -1);
  };
  return {
    add(job, state, until) {
      job.state = state;
      countByKey(counts[state], job.message.endpointId, 1);
      heap.add(job, until);
    },
    next(now) {
      const job = heap.pop(now);
      if (job !== null) uncount(job);
      return job;
    },
    count: (state, endpointId) => counts[state].get(endpointId) ?? 0,
    removeWhere(matches) {
      const removed: Job[] = [];
      heap.removeWhere((job) => {
        if (!matches(job)) return false;
        uncount(job);
        removed.push(job);
        return true;
      });
      return removed;
    },
  };
}
