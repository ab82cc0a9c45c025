import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { Delivery, Pending } from '@postrider/shared/domain/delivery';
import type { DeliveryId, ReplayJobId, WorkspaceId } from '@postrider/shared/domain/id';
import type { JobKind, ReplayJob, ReplaySource } from '@postrider/shared/domain/replay-job';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';

/** A delivery that a job matched, as it is now, without its payload. */
export interface MatchedDelivery extends ReplaySource {
  readonly id: DeliveryId;
  /** The size of its payload as it is stored; 0 for a row that no longer exists. */
  readonly payloadBytes: number;
}

/** The fields that a replay copies from its source. */
export type ReplayedDelivery = Pick<Delivery, 'id' | 'workspaceId' | 'endpointId' | 'eventType' | 'payload'>;

/** A replay, and the endpoint that it is for. */
export type ReplayTo = Pick<Delivery, 'id' | 'endpointId'>;

/** The writes of one batch of a job. */
export interface ReplayBatch {
  /** The job afterwards. */
  readonly job: ReplayJob;
  readonly replays: readonly (Delivery & Pending & { readonly replayedFrom: DeliveryId })[];
  readonly audits: readonly AuditEvent[];
  readonly records: readonly OutboxRecord[];
}

/** Which of the matched deliveries a batch replays, and the writes that follow from their payloads. */
export interface BatchChoice {
  readonly sourceIds: readonly DeliveryId[];
  /** @param sources in the order of `sourceIds` */
  readonly plan: (sources: readonly ReplayedDelivery[]) => ReplayBatch;
}

/** Decides the outcome of matched deliveries. Pure: it may run twice. */
export type DecideBatch = (job: ReplayJob, matched: readonly MatchedDelivery[]) => BatchChoice;

/** A job that waits for a process. */
export interface WaitingJob {
  readonly workspaceId: WorkspaceId;
  readonly kind: JobKind;
}

/**
 * The runner's port to replay jobs. Steps take the job as the last step returned it, and return null when this process
 * lost the lease or the job was cancelled: then nothing was written.
 */
export interface ReplayJobStore {
  /**
   * Takes the lease of an active job: of those of one kind the one that has waited longest for a process; null if none waits.
   *
   * @param running the jobs that this process runs, which never wait: a lease may expire during one of their steps
   * @param exceptWorkspaces whose jobs are left to wait
   * @param first the kind that goes first, by default requested jobs: there may be thousands of the system at once
   */
  claim(
    running: readonly ReplayJobId[],
    exceptWorkspaces?: readonly WorkspaceId[],
    first?: JobKind,
  ): Promise<ReplayJob | null>;
  /** The job that `claim` would take; null if none waits. */
  nextWaiting(
    running: readonly ReplayJobId[],
    exceptWorkspaces?: readonly WorkspaceId[],
    first?: JobKind,
  ): Promise<WaitingJob | null>;
  /** Extends the lease. @returns the job as it is stored, also if it has ended: a failed step may have changed it */
  reload(job: ReplayJob): Promise<ReplayJob | null>;
  /** Extends the lease, and records whether the job is running or paused. */
  renew(job: ReplayJob, status: ReplayJob['status']): Promise<ReplayJob | null>;
  /** Reads the next rows that may match, and stores those that do. Extends the lease meanwhile, as long as this takes. */
  count(job: ReplayJob): Promise<ReplayJob | null>;
  /**
   * Adds rows of the disabled period that arrived since they were counted. Reads all of them, a slice at a time. Extends the
   * lease with each, and meanwhile.
   */
  countArrivals(job: ReplayJob): Promise<ReplayJob | null>;
  /**
   * Handles up to `limit` of the matched deliveries that follow, in one transaction, during which no process can take the
   * lease. Reads the payloads only of those that are replayed.
   */
  replay(job: ReplayJob, limit: number, decide: DecideBatch): Promise<ReplayBatch | null>;
  /** Ends the job. */
  end(job: ReplayJob, status: 'succeeded' | 'failed'): Promise<ReplayJob | null>;
  /** Gives up the lease: any process may take it. @returns false if this process did not have it, or the job has ended */
  release(job: ReplayJob): Promise<boolean>;
  /** Gives up the lease of a job that has nothing to do until then: no process may take it before. */
  rest(job: ReplayJob, until: Date): Promise<void>;
  /**
   * The last replays of the job that wait for their first attempt, oldest first, among its last 1,000 to 2,000 sources. Extends
   * the lease meanwhile.
   */
  lastUnsent(job: ReplayJob): Promise<readonly ReplayTo[]>;
  /** Those of these replays of the job that wait for their first attempt. Extends the lease meanwhile. */
  unsentOf(job: ReplayJob, ids: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId>>;
  /** Removes the matched deliveries of an ended job. */
  forget(jobId: ReplayJobId): Promise<void>;
}
