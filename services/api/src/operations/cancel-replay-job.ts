import { endJob, isActiveJob } from '@postrider/shared/domain/replay-job';
import type * as wire from '../contract/replay-job.js';
import { Refusal } from '../domain/refusal.js';
import { showReplayJob } from '../views/replay-job.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findReplayJob } from './get-replay-job.js';

/** Ends a replay job. The process that runs it notices at its next step. */
export function cancelReplayJob({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { jobId }: { jobId: string }): Promise<wire.ReplayJob> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const job = await findReplayJob(tx.replayJobs, call.workspace.id, jobId);
      if (!isActiveJob(job)) throw new Refusal('ReplayJobEnded', `The job has ended: it is ${job.status}.`);
      const cancelled = endJob(job, 'cancelled', at);
      await tx.replayJobs.save(cancelled);
      const entry = auditEntry(call, newId, {
        action: 'webhook.replay_job_cancelled',
        target: { type: 'replay_job', id: jobId },
        metadata: { replayed: job.replayed },
        at,
      });
      return { result: showReplayJob(cancelled), audit: [entry], outbox: [] };
    });
}
