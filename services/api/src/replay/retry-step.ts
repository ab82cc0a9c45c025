import { isActiveJob, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Log } from '@postrider/shared/ports/log';
import type { ReplayJobStore } from '../ports/replay-jobs.js';
import type { JobStep } from './job-run.js';

export interface RetryStepParts {
  readonly store: Pick<ReplayJobStore, 'reload' | 'end'>;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

/** A job fails after this many failed steps in a row. Steps that fail because the database is away do not count. */
const MAX_FAILURES = 5;
const AFTER_FAILURE_MS = 1_000;

/** Returns a step that tries the next step of one job again after a failure, and ends the job after too many of them. */
export function retryStep({ store, sleep, isDatabaseAway, log }: RetryStepParts, next: JobStep): JobStep {
  let failuresInARow = 0;
  let mayHaveChanged = false;

  const fail = async (job: ReplayJob) => {
    const current = await store.reload(job);
    if (current === null || !isActiveJob(current)) return current;
    log.error({ event: 'replay_job.failed', jobId: job.id }, 'a replay job cannot continue and was ended');
    return store.end(current, 'failed');
  };
  return async (job) => {
    try {
      const current = mayHaveChanged ? await store.reload(job) : job;
      mayHaveChanged = false;
      const after = current === null || !isActiveJob(current) ? current : await next(current);
      failuresInARow = 0;
      return after;
    } catch (error) {
      log.warn(
        { event: 'replay_job.step_failed', jobId: job.id, err: error },
        'a step of a replay job failed',
      );
      // The step may have been stored although its answer was lost.
      mayHaveChanged = true;
      if (!isDatabaseAway(error)) failuresInARow += 1;
      if (failuresInARow >= MAX_FAILURES) return fail(job);
      await sleep(AFTER_FAILURE_MS);
      return job;
    }
  };
}
