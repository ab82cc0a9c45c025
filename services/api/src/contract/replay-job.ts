import type { AttemptFailureReason, FailureReason } from '@postrider/shared/domain/delivery';
import type { ReplayableStatus, ReplayJobStatus } from '@postrider/shared/domain/replay-job';
import type { Timestamp } from './timestamp.js';

/** The deliveries that a replay job matches: all conditions hold. */
export interface ReplayFilter {
  /** Null for all endpoints. */
  endpointId: string | null;
  statuses: ReplayableStatus[];
  /** Null for all event types. */
  eventTypes: string[] | null;
  /** Null for all reasons. */
  failureReasons: FailureReason[] | null;
  /** Null for all reasons. */
  lastFailureReasons: AttemptFailureReason[] | null;
  createdAfter: Timestamp;
  createdBefore: Timestamp;
  includeReplayed: boolean;
}

/**
 * The matched deliveries that were not replayed, by reason. For a dry run: those that a job would have skipped at the time of the
 * count; the rest of `matched` would have been sent.
 */
export interface SkippedDeliveries {
  /**
   * A replay of it exists.
   * @isInt
   */
  alreadyReplayed: number;
  /**
   * Its endpoint was disabled when its turn came. Another job sends it once the endpoint is enabled, but `replayHeld` does not.
   * @isInt
   */
  endpointDisabled: number;
  /**
   * Its endpoint was deleted.
   * @isInt
   */
  endpointDeleted: number;
  /**
   * Its history was removed meanwhile.
   * @isInt
   */
  expired: number;
  /**
   * Its status changed meanwhile, or it is still being retried.
   * @isInt
   */
  changed: number;
}

/**
 * Replays many deliveries in the background, oldest first.
 * @example {
 *   "jobId": "rpl_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "status": "running",
 *   "filter": {
 *     "endpointId": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *     "statuses": ["failed_permanent", "dead_lettered"],
 *     "eventTypes": null,
 *     "failureReasons": null,
 *     "lastFailureReasons": null,
 *     "createdAfter": "2026-02-28T00:00:00.000Z",
 *     "createdBefore": "2026-03-01T00:00:00.000Z",
 *     "includeReplayed": false
 *   },
 *   "dryRun": false,
 *   "ratePerSecond": 50,
 *   "matched": 10000,
 *   "replayed": 1200,
 *   "skipped": { "alreadyReplayed": 3, "endpointDisabled": 0, "endpointDeleted": 0, "expired": 0, "changed": 1 },
 *   "createdAt": "2026-03-01T09:30:00.000Z",
 *   "startedAt": "2026-03-01T09:30:00.400Z",
 *   "endedAt": null
 * }
 */
export interface ReplayJob {
  jobId: string;
  /** `paused`: sending is held because the service's own network fails; the job continues once it works again. */
  status: ReplayJobStatus;
  filter: ReplayFilter;
  dryRun: boolean;
  /** @isInt */
  ratePerSecond: number;
  /**
   * The deliveries that the filter matches; null while they are counted. For a job that ended early, only those that it got to.
   * @isInt
   */
  matched: number | null;
  /** @isInt */
  replayed: number;
  skipped: SkippedDeliveries;
  createdAt: Timestamp;
  startedAt: Timestamp | null;
  endedAt: Timestamp | null;
}

/**
 * Selects the deliveries to replay.
 * @example {
 *   "endpointId": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "createdAfter": "2026-02-28T00:00:00.000Z",
 *   "dryRun": true
 * }
 */
export interface CreateReplayJob {
  /** Only deliveries of this endpoint; by default of all endpoints. */
  endpointId?: string;
  /**
   * Only deliveries with one of these statuses; by default `failed_permanent` and `dead_lettered`.
   * @minItems 1
   */
  statuses?: ReplayableStatus[];
  /**
   * Only these event types.
   * @minItems 1
   * @maxItems 500
   */
  eventTypes?: string[];
  /**
   * Only deliveries whose status has one of these reasons. Dead-lettered ones have `retries_exhausted`.
   * @minItems 1
   */
  failureReasons?: FailureReason[];
  /**
   * Only deliveries whose last attempt failed for one of these reasons, also dead-lettered ones.
   * @minItems 1
   */
  lastFailureReasons?: AttemptFailureReason[];
  /** Only deliveries created after this time. */
  createdAfter: Timestamp;
  /** Only deliveries created before this time; by default now. */
  createdBefore?: Timestamp;
  /** Whether to include deliveries that were already replayed. Default: false. */
  includeReplayed?: boolean;
  /**
   * Replays per second. Default: 50.
   * @isInt
   * @minimum 1
   * @maximum 1000
   */
  ratePerSecond?: number;
  /** Only count the matching deliveries, and those of them that would be skipped. Default: false. */
  dryRun?: boolean;
}
