import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { Delivery } from '@postrider/shared/domain/delivery';
import type { EndpointFields } from '@postrider/shared/domain/endpoint';
import type { DeliveryId, EndpointId } from '@postrider/shared/domain/id';
import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';

/** A delivery that a job matched, as it is now; null for rows that no longer exist. */
export interface MatchedDelivery {
  readonly id: DeliveryId;
  readonly delivery: Delivery | null;
  readonly endpoint: Pick<EndpointFields, 'enabled' | 'deletedAt'> | null;
  /** Whether any replay of it exists. */
  readonly isReplayed: boolean;
}

/** The writes of one batch of a job. */
export interface ReplayBatch {
  /** The job afterwards. */
  readonly job: ReplayJob;
  readonly replays: readonly (Delivery & { readonly replayedFrom: DeliveryId })[];
  readonly audits: readonly AuditEvent[];
  readonly records: readonly OutboxRecord[];
}

/** Decides the writes of a batch. Pure: it may run twice. */
export type DecideBatch = (job: ReplayJob, matched: readonly MatchedDelivery[]) => ReplayBatch;

/**
 * The runner's port to replay jobs. Steps take the job as the last step returned it, and return null when this process
 * lost the lease or the job was cancelled: then nothing was written.
 */
export interface ReplayJobStore {
  /** Takes the lease of the active job that has waited longest for a process; null if none waits. */
  claim(): Promise<ReplayJob | null>;
  /** Whether an active job waits for a process. */
  isAnyWaiting(): Promise<boolean>;
  /** Extends the lease, and records whether the job is running or paused. */
  renew(job: ReplayJob, status: ReplayJob['status']): Promise<ReplayJob | null>;
  /** Reads the next rows that may match, and remembers those that do. */
  count(job: ReplayJob): Promise<ReplayJob | null>;
  /** Adds rows of the disabled period that arrived since they were counted. Reads all of them, a slice at a time. */
  countArrivals(job: ReplayJob): Promise<ReplayJob | null>;
  /** Handles up to `limit` of the matched deliveries that follow, in one transaction. */
  replay(job: ReplayJob, limit: number, decide: DecideBatch): Promise<ReplayBatch | null>;
  /** Ends the job. */
  end(job: ReplayJob, status: 'succeeded' | 'failed'): Promise<ReplayJob | null>;
  /** Gives up the lease: any process may take it. */
  release(job: ReplayJob): Promise<void>;
  /** Gives up the lease of a job that has nothing to do until then: no process may take it before. */
  rest(job: ReplayJob, until: Date): Promise<void>;
  /** Whether any of these endpoints has so many due rows that more replays would only wait. */
  isAnyBehind(endpointIds: readonly EndpointId[]): Promise<boolean>;
  /** Removes what was remembered of an ended job. */
  forget(job: ReplayJob): Promise<void>;
}
