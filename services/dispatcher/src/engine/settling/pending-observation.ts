import type { Observation, Situation } from '@postrider/shared/domain/settle';
import type { Settled } from '@postrider/shared/domain/settle-all';
import type { Job } from '../jobs/job.js';

/** An observation that is not stored yet, with its job. */
export interface PendingObservation {
  readonly job: Job;
  readonly observation: Observation;
  /** The row and its endpoint as they were read before the attempt. */
  readonly known: Situation;
  /** The event that the delivery carries; null if its row does not exist. */
  readonly eventId: string | null;
}

/** An observation that is stored, with its result. */
export interface SettledObservation extends Pick<PendingObservation, 'job' | 'eventId' | 'known'> {
  readonly result: Settled;
}
