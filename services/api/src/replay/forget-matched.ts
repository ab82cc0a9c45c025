import type { ReplayJobId } from '@postrider/shared/domain/id';
import type { Log } from '@postrider/shared/ports/log';

type Forget = (jobId: ReplayJobId) => Promise<void>;

/**
 * Removes the matched deliveries of an ended job, and tries again once. A failure is only logged: the job has ended, and the database
 * removes the rest when it expires.
 */
export function createForgetMatched(forget: Forget, log: Log): Forget {
  return async (jobId) => {
    try {
      await forget(jobId).catch(() => forget(jobId));
    } catch (error) {
      log.warn(
        { event: 'replay_job.matched_left', jobId, err: error },
        'what an ended replay job matched could not be removed',
      );
    }
  };
}
