import { asId } from '@postrider/shared/domain/id';
import { endJob, isActiveJob } from '@postrider/shared/domain/replay-job';
import type * as wire from '../contract/replay-job.js';
import { Refusal } from '../domain/refusal.js';
import { showReplayJob } from '../views/replay-job.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findReplayJob } from './get-replay-job.js';

type Uses = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'forgetMatched'>;

/**
 * Cancels a replay job and removes its matched deliveries. A step in progress either ends first, or is retried and finds the job
 * ended: nothing is stored after that. The process that runs the job, if any, notices at its next step.
 */
export function cancelReplayJob({ mutate, clock, newId, forgetMatched }: Uses) {
  return async (call: Call, { jobId }: { jobId: string }): Promise<wire.ReplayJob> => {
    const cancelled = await mutate(call, async (tx) => {
      const at = clock.now();
      const job = await findReplayJob(tx.replayJobs, call.workspace.id, jobId);
      if (!isActiveJob(job)) throw new Refusal('ReplayJobEnded', `The job has ended: it is ${job.status}.`);
      const ended = endJob(job, 'cancelled', at);
      await tx.replayJobs.save(ended);
      const entry = auditEntry(call, newId, {
        action: 'webhook.replay_job_cancelled',
        target: { type: 'replay_job', id: jobId },
        metadata: { replayed: job.replayed },
        at,
      });
      return { result: showReplayJob(ended), audit: [entry], outbox: [] };
    });
    await forgetMatched(asId('replayJob', jobId));
    return cancelled;
  };
}
