import { MAX_ACTIVE_JOBS, type ReplayJob } from '@postrider/shared/domain/replay-job';
import { Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import type { Deps } from './deps.js';
import { awaitRoom } from './within-quota.js';

/** Ensures, in the transaction that inserts the job, that the workspace may have one more active job. */
export type EnsureJob = (tx: Pick<Transaction, 'replayJobs'>) => Promise<void>;

/**
 * Creates a replay job if the workspace has few enough active ones. Like creations within a quota, these do not conflict
 * with each other.
 *
 * @throws Refusal `TooManyReplayJobs`
 */
export function withinActiveJobs<T>(
  { places }: Pick<Deps, 'places'>,
  { id, workspaceId }: Pick<ReplayJob, 'id' | 'workspaceId'>,
  create: (ensureJob: EnsureJob) => Promise<T>,
): Promise<T> {
  return places.hold({ id, workspaceId, kind: 'replayJobs' }, ({ ahead }) =>
    create(async ({ replayJobs }) => {
      const live = await replayJobs.countActive(workspaceId);
      if (live >= MAX_ACTIVE_JOBS) throw tooMany();
      await awaitRoom(replayJobs, { live, ahead, quota: MAX_ACTIVE_JOBS });
    }),
  );
}

function tooMany(): Refusal {
  return new Refusal(
    'TooManyReplayJobs',
    `${MAX_ACTIVE_JOBS} replay jobs of this workspace are active. Wait until one ends, or cancel one.`,
  );
}
