import { isActiveJob, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Log } from '@postrider/shared/ports/log';
import { createJobRun, type JobRunParts, type JobStep } from './job-run.js';
import { type JobSlot, MAX_RUNNING_JOBS, slotToYield, workspacesAtLimit } from './job-slots.js';

export interface ReplayRunnerParts extends JobRunParts {
  /** How often this process looks for jobs without a lease, in milliseconds. */
  readonly pollEveryMs: number;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

export interface ReplayRunner {
  /** Finishes the steps in progress and gives up the leases. */
  stop(): Promise<void>;
}

/** A job fails after this many failed steps in a row. Steps that fail because the database is away do not count. */
const MAX_FAILURES = 5;
const AFTER_FAILURE_MS = 1_000;

/** Runs replay jobs: takes the leases of active jobs that no process runs, and runs several at the same time. */
export function startReplayRunner(parts: ReplayRunnerParts): ReplayRunner {
  const { store, monotonicMs, sleep, log, isDatabaseAway } = parts;
  const running = new Map<Promise<void>, JobSlot>();
  let isStopped = false;
  let slotFreed = Promise.withResolvers<void>();
  const slots = () => [...running.values()];
  const jobIds = () => slots().map(({ jobId }) => jobId);

  const stepOf = (next: JobStep): JobStep => {
    let failuresInARow = 0;
    let mayHaveChanged = false;
    return async (job) => {
      try {
        const current = mayHaveChanged ? await store.reload(job) : job;
        mayHaveChanged = false;
        const after = current && (await next(current));
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
  };
  const fail = async (job: ReplayJob) => {
    const current = await store.reload(job);
    if (current === null) return null;
    log.error({ event: 'replay_job.failed', jobId: job.id }, 'a replay job cannot continue and was ended');
    return store.end(current, 'failed');
  };
  const run = async (claimed: ReplayJob, slot: JobSlot) => {
    const step = stepOf(createJobRun(parts, claimed));
    let job: ReplayJob | null = claimed;
    while (job !== null && isActiveJob(job) && !isStopped && !slot.mustYield) job = await step(job);
    if (job !== null) await (isActiveJob(job) ? store.release(job) : store.forget(job));
  };
  const start = (job: ReplayJob) => {
    const { id: jobId, workspaceId } = job;
    const slot: JobSlot = { jobId, workspaceId, since: monotonicMs(), mustYield: false };
    const ended: Promise<void> = run(job, slot)
      .catch((error) =>
        log.warn(
          { event: 'replay_job.left', jobId: job.id, err: error },
          'another process takes a replay job over',
        ),
      )
      .finally(() => {
        running.delete(ended);
        slotFreed.resolve();
      });
    running.set(ended, slot);
  };
  const takeJobs = async () => {
    while (running.size < MAX_RUNNING_JOBS && !isStopped) {
      const job = await store.claim(jobIds(), workspacesAtLimit(slots()));
      if (job === null) break;
      start(job);
    }
    if (running.size > 0) await giveUpOne();
  };
  /** Gives up a job for a waiting one: of a workspace that may start one, or else of one at its limit. */
  const giveUpOne = async () => {
    const waiting =
      (await store.nextWaiting(jobIds(), workspacesAtLimit(slots()))) ?? (await store.nextWaiting(jobIds()));
    const slot = waiting && slotToYield(slots(), waiting, monotonicMs());
    if (slot) slot.mustYield = true;
  };
  const poll = async () => {
    while (!isStopped) {
      slotFreed = Promise.withResolvers();
      await takeJobs().catch((error) =>
        log.warn({ event: 'replay_job.poll_failed', err: error }, 'replay jobs could not be read'),
      );
      await Promise.race([sleep(parts.pollEveryMs), slotFreed.promise]);
    }
  };
  void poll();
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running.keys());
    },
  };
}
