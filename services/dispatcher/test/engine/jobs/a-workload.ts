import { createJobs } from '../../../src/engine/jobs/create-jobs.js';
import { poolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import type { Source } from '../../../src/offsets/open-offsets.js';
import { turnLimitsBy } from '../builders.js';

/** A due time in the past. */
export const DUE = 0;
/** The jobs in memory. A single endpoint may have half of them. */
export const JOBS = 10;
export const ANSWERED = { durationMs: 1, timedOut: false };

/**
 * A workload at time 1,000 with room for ten jobs; `done` lists the offsets that are, and `posts` counts those that begin. Each
 * look at the monotonic clock takes `time.stepMs`.
 */
export function aWorkload() {
  const count = { posts: 0 };
  const done: Source[] = [];
  const time = { clockMs: 1_000, monotonicMs: 1_000, stepMs: 0 };
  const clockMs = () => time.clockMs;
  const monotonicMs = () => {
    time.monotonicMs += time.stepMs;
    return time.monotonicMs;
  };
  const limits = poolLimits({ perEndpoint: 2, prompt: 100, lingering: 100, bytes: 2 ** 24 });
  const { workload: work, ...jobs } = createJobs({
    limits: { ...limits, jobs: JOBS },
    clockMs,
    busy: () => 0,
    monotonicMs,
    turn: turnLimitsBy(monotonicMs)(),
    onDone: (source) => done.push(source),
    onPostBegins: () => {
      count.posts += 1;
    },
    onPaced: () => {},
    onWaiting: () => {},
  });
  const wakeAt = (clockMs: number) => {
    time.clockMs = clockMs;
    work.wake();
  };
  return { ...jobs, work, wakeAt, time, done, count };
}
