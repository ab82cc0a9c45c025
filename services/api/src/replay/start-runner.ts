import type { WorkspaceId } from '@postrider/shared/domain/id';
import { isActiveJob, kindOfJob, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { ReplayJobStore } from '../ports/replay-jobs.js';
import { createForgetMatched } from './forget-matched.js';
import { createJobRun, type JobRunParts } from './job-run.js';
import { type JobSlot, kindToStart, MAX_RUNNING_JOBS, slotToYield, workspacesAtLimit } from './job-slots.js';
import { type RetryStepParts, retryStep } from './retry-step.js';

export interface ReplayRunnerParts extends JobRunParts, RetryStepParts {
  readonly store: ReplayJobStore;
  /** How often this process looks for jobs without a lease, in milliseconds. */
  readonly pollEveryMs: number;
}

export interface ReplayRunner {
  /** Finishes the steps in progress and gives up the leases. */
  stop(): Promise<void>;
}

/** Runs replay jobs: takes the leases of active jobs that no process runs, and runs several at the same time. */
export function startReplayRunner(parts: ReplayRunnerParts): ReplayRunner {
  const { store, pollEveryMs, monotonicMs, sleep, log } = parts;
  const forgetMatched = createForgetMatched(store.forget, log);
  const running = new Map<Promise<void>, JobSlot>();
  let isStopped = false;
  let taking: Promise<void> = Promise.resolve();
  let slotFreed = Promise.withResolvers<void>();
  let searchBesideAt = Number.NEGATIVE_INFINITY;
  const slots = () => [...running.values()];
  const jobIds = () => slots().map(({ jobId }) => jobId);

  const run = async (claimed: ReplayJob, slot: JobSlot) => {
    const step = retryStep(parts, createJobRun(parts, claimed));
    let job: ReplayJob | null = claimed;
    while (job !== null && isActiveJob(job) && !isStopped && !slot.mustYield) job = await step(job);
    if (job !== null) await leave(job);
  };
  const leave = async (job: ReplayJob) => {
    if (isActiveJob(job) && (await store.release(job))) return;
    // The step that ended the job may have been stored although its answer was lost.
    const current = isActiveJob(job) ? await store.reload(job) : job;
    if (current !== null && !isActiveJob(current)) await forgetMatched(job.id);
  };
  const start = (job: ReplayJob) => {
    const { id: jobId, workspaceId } = job;
    const kind = kindOfJob(job);
    const slot: JobSlot = { jobId, workspaceId, kind, since: monotonicMs(), mustYield: false };
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
  /**
   * Searches for a job of a workspace that may start one. Beside a workspace at its limit this may read all of its waiting jobs, which
   * may be one for each of its endpoints. If nothing is found, it is therefore not repeated whenever a slot is free, but with the next poll.
   */
  const search = async <Found>(find: (exceptWorkspaces: readonly WorkspaceId[]) => Promise<Found | null>) => {
    const startedAt = monotonicMs();
    const atLimit = workspacesAtLimit(slots());
    if (atLimit.length > 0 && startedAt < searchBesideAt) return null;
    const found = await find(atLimit);
    if (atLimit.length > 0 && found === null) searchBesideAt = startedAt + pollEveryMs;
    return found;
  };
  const takeJobs = async () => {
    while (running.size < MAX_RUNNING_JOBS && !isStopped) {
      const job = await search((atLimit) => store.claim(jobIds(), atLimit, kindToStart(slots())));
      if (job === null) break;
      start(job);
    }
    if (running.size > 0 && !isStopped) await giveUpOne();
  };
  /** Gives up a job for a waiting one: of a workspace that may start one, or else of one at its limit. */
  const giveUpOne = async () => {
    const first = kindToStart(slots());
    const waiting =
      (await search((atLimit) => store.nextWaiting(jobIds(), atLimit, first))) ??
      (await store.nextWaiting(jobIds(), [], first));
    const slot = waiting && slotToYield(slots(), waiting, monotonicMs());
    if (slot) slot.mustYield = true;
  };
  const poll = async () => {
    while (!isStopped) {
      slotFreed = Promise.withResolvers();
      taking = takeJobs().catch((error) =>
        log.warn({ event: 'replay_job.poll_failed', err: error }, 'replay jobs could not be read'),
      );
      await taking;
      await Promise.race([sleep(pollEveryMs), slotFreed.promise]);
    }
  };
  void poll();
  return {
    async stop() {
      isStopped = true;
      // A claim in progress may still start a job, which gives up its lease at once.
      await taking;
      await Promise.all(running.keys());
    },
  };
}
