import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type * as wire from '../contract/replay-job.js';
import { Refusal } from '../domain/refusal.js';
import type { ReplayJobReads } from '../ports/reads.js';
import { showReplayJob } from '../views/replay-job.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';

export function getReplayJob({ replayJobs }: Pick<Deps, 'replayJobs'>) {
  return async ({ workspace }: Call, { jobId }: { jobId: string }): Promise<wire.ReplayJob> =>
    showReplayJob(await findReplayJob(replayJobs, workspace.id, jobId));
}

/** @throws Refusal `ReplayJobNotFound`, also for a job of another workspace */
export async function findReplayJob(
  jobs: Pick<ReplayJobReads, 'find'>,
  workspaceId: string,
  id: string,
): Promise<ReplayJob> {
  const job = await jobs.find(workspaceId, id);
  if (job === null) {
    throw new Refusal(
      'ReplayJobNotFound',
      'This workspace has no such replay job, or it was removed after 30 days.',
    );
  }
  return job;
}
