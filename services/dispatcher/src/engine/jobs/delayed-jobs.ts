import { countByKey } from '@postrider/shared/runtime/count-by-key';
import { createDelayHeap } from '../scheduler/delay-heap.js';
import type { Job } from './job.js';

/** The states of a job that is queued later. */
export type DelayedState = Extract<Job['state'], 'waiting' | 'postponed' | 'set-aside'>;

/** The jobs that are queued later, counted by endpoint. */
export interface DelayedJobs {
  /** Delays a job until a due time, in milliseconds. */
  addUntil(job: Job, due: number): void;
  /** Delays a job for some milliseconds, even if the clock is corrected meanwhile. */
  addFor(job: Job, forMs: number): void;
  /** The same for a job that its endpoint's other deliveries do not wait for. */
  setAside(job: Job, forMs: number): void;
  /** Removes and returns a job whose delay has ended; null if there is none. */
  next(): Job | null;
  /** Milliseconds until the next delay ends, negative if it has ended; null without jobs. */
  nextInMs(): number | null;
  /** The number of an endpoint's jobs in a state. */
  count(state: DelayedState, endpointId: string): number;
  /** The number of a workspace's waiting jobs. */
  waitingOf(workspaceId: string): number;
  /** Removes and returns the jobs that match. */
  removeWhere(matches: (job: Job) => boolean): readonly Job[];
  size(): number;
}

interface DelayedJobsParts {
  readonly clockMs: () => number;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  /** Called when a job was added. */
  readonly onAdded: () => void;
}

export function createDelayedJobs({ clockMs, monotonicMs, onAdded }: DelayedJobsParts): DelayedJobs {
  const byDueTime = { heap: createDelayHeap<Job>(), nowMs: clockMs };
  const byPause = { heap: createDelayHeap<Job>(), nowMs: monotonicMs };
  const counts: Record<DelayedState, Map<string, number>> = {
    waiting: new Map(),
    postponed: new Map(),
    'set-aside': new Map(),
  };
  const waitingByWorkspace = new Map<string, number>();
  const change = (state: DelayedState, { endpointId, workspaceId }: Job['message'], by: 1 | -1) => {
    countByKey(counts[state], endpointId, by);
    if (state === 'waiting') countByKey(waitingByWorkspace, workspaceId, by);
  };
  const uncount = ({ state, message }: Job) => {
    if (state in counts) change(state as DelayedState, message, -1);
  };
  const add = ({ heap }: typeof byDueTime, job: Job, until: number, state: DelayedState) => {
    job.state = state;
    change(state, job.message, 1);
    heap.add(job, until);
    onAdded();
  };
  const inMs = ({ heap, nowMs }: typeof byDueTime) => (heap.nextDue() ?? Number.POSITIVE_INFINITY) - nowMs();
  return {
    addUntil: (job, due) => add(byDueTime, job, due, 'waiting'),
    addFor(job, forMs) {
      const state = job.sources.length === 0 ? 'postponed' : 'waiting';
      add(byPause, job, monotonicMs() + forMs, state);
    },
    setAside: (job, forMs) => add(byPause, job, monotonicMs() + forMs, 'set-aside'),
    next() {
      const job = byDueTime.heap.pop(clockMs()) ?? byPause.heap.pop(monotonicMs());
      if (job !== null) uncount(job);
      return job;
    },
    nextInMs() {
      const ms = Math.min(inMs(byDueTime), inMs(byPause));
      return ms === Number.POSITIVE_INFINITY ? null : ms;
    },
    count: (state, endpointId) => counts[state].get(endpointId) ?? 0,
    waitingOf: (workspaceId) => waitingByWorkspace.get(workspaceId) ?? 0,
    removeWhere(matches) {
      const removed: Job[] = [];
      const remove = (job: Job) => {
        if (!matches(job)) return false;
        uncount(job);
        removed.push(job);
        return true;
      };
      byDueTime.heap.removeWhere(remove);
      byPause.heap.removeWhere(remove);
      return removed;
    },
    size: () => byDueTime.heap.size() + byPause.heap.size(),
  };
}
