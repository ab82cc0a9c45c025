import { type Actor, type AuditSource, SYSTEM } from './audit-event.js';
import type {
  AttemptFailureReason,
  DeliveryFields,
  DeliveryStatus,
  FailureReason,
  LastAttempt,
} from './delivery.js';
import { closedReason, type EndpointFields } from './endpoint.js';
import type { EventTypeName } from './event-type.js';
import type { EndpointId, ReplayJobId, WorkspaceId } from './id.js';

export const REPLAYABLE_STATUSES = [
  'failed',
  'failed_permanent',
  'dead_lettered',
] as const satisfies readonly DeliveryStatus[];
export type ReplayableStatus = (typeof REPLAYABLE_STATUSES)[number];

export const ACTIVE_JOB_STATUSES = ['counting', 'running', 'paused'] as const;
const REPLAY_JOB_STATUSES = [...ACTIVE_JOB_STATUSES, 'succeeded', 'cancelled', 'failed'] as const;
export type ReplayJobStatus = (typeof REPLAY_JOB_STATUSES)[number];

/** The state of an active job: whether a process runs it, and if not, why. */
export const ACTIVE_JOB_STATES = ['running', 'paused', 'resting', 'waiting'] as const;
export type ActiveJobState = (typeof ACTIVE_JOB_STATES)[number];

/** Whether someone in the workspace requested a job, or the system created it when an endpoint was enabled again. */
export const JOB_KINDS = ['requested', 'system'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/** Why a delivery that matched is not replayed. */
export const SKIP_REASONS = [
  'alreadyReplayed',
  'endpointDisabled',
  'endpointDeleted',
  'expired',
  'changed',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
export type Skipped = Readonly<Record<SkipReason, number>>;

export const DEFAULT_REPLAY_STATUSES = ['failed_permanent', 'dead_lettered'] as const;
/** Replayed deliveries per second of a job that asks for no other rate. */
export const DEFAULT_REPLAY_RATE = 50;
/** Maximum number of jobs of a workspace that are counting, running or paused at a time. */
export const MAX_ACTIVE_JOBS = 5;
/** How long an ended job is kept, in milliseconds. */
export const ENDED_JOB_KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
/** How long rows of a disabled period may arrive after the endpoint is enabled, in milliseconds. */
const HELD_ROWS_ARRIVE_MS = 10 * 60_000;

/** The deliveries that a job replays: all conditions hold. Null matches all. */
export interface ReplayFilter {
  readonly endpointId: EndpointId | null;
  readonly statuses: readonly ReplayableStatus[];
  readonly eventTypes: readonly EventTypeName[] | null;
  /** The reasons for the status. */
  readonly failureReasons: readonly FailureReason[] | null;
  /** The reasons of the last HTTP attempt. Absent in jobs without this condition. */
  readonly lastFailureReasons?: readonly AttemptFailureReason[];
  /** Exclusive. */
  readonly createdAfter: Date;
  /** Exclusive. */
  readonly createdBefore: Date;
  readonly includeReplayed: boolean;
}

/** Restricts a job to the rows that were closed in one disabled period of its endpoint. */
export interface HeldPeriod {
  /** The start of the period, as it is stored in the rows. */
  readonly since: Date;
  /** Until then further rows of the period may arrive. */
  readonly until: Date;
}

/** Replays many deliveries in the background, oldest first. */
export interface ReplayJob {
  readonly id: ReplayJobId;
  readonly workspaceId: WorkspaceId;
  /** Who created it: the audit entry of each replay names it. */
  readonly actor: Actor;
  /** The request that created it; null in jobs of the system and of earlier versions. */
  readonly source: AuditSource | null;
  readonly traceId: string;
  readonly status: ReplayJobStatus;
  readonly filter: ReplayFilter;
  /** Null unless the job replays the deliveries held while an endpoint was disabled. */
  readonly held: HeldPeriod | null;
  readonly dryRun: boolean;
  readonly ratePerSecond: number;
  /** The deliveries found so far; final once the job is no longer counting. */
  readonly matched: number;
  /** The id of the last row that was read while counting. */
  readonly countedTo: string | null;
  readonly replayed: number;
  /** In a dry run, those that a job would have skipped when they were counted. */
  readonly skipped: Skipped;
  /**
   * The creation time of the next replays: of the last batch, or of the last moment at which the job waited. Stored, so that a
   * repetition after a crash derives the same ids.
   */
  readonly nextAt: Date;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

export type NewReplayJob = Pick<
  ReplayJob,
  'id' | 'workspaceId' | 'actor' | 'traceId' | 'filter' | 'dryRun' | 'ratePerSecond' | 'createdAt'
> & { readonly held?: HeldPeriod; readonly source?: AuditSource | null };

export const NOTHING_SKIPPED: Skipped = {
  alreadyReplayed: 0,
  endpointDisabled: 0,
  endpointDeleted: 0,
  expired: 0,
  changed: 0,
};

export function newReplayJob({ held, source, ...facts }: NewReplayJob): ReplayJob {
  return {
    ...facts,
    held: held ?? null,
    source: source ?? null,
    status: 'counting',
    matched: 0,
    countedTo: null,
    replayed: 0,
    skipped: NOTHING_SKIPPED,
    nextAt: facts.createdAt,
    startedAt: null,
    endedAt: null,
  };
}

/** A disabled period of an endpoint that was enabled again. */
export interface EndedPeriod {
  readonly workspaceId: WorkspaceId;
  readonly endpointId: EndpointId;
  readonly since: Date;
  readonly enabledAt: Date;
}

/** The job that replays the deliveries held in a disabled period, including rows that arrive a little later. */
export function heldReplayJob(
  { workspaceId, endpointId, since, enabledAt }: EndedPeriod,
  facts: Pick<NewReplayJob, 'id' | 'actor' | 'source' | 'traceId'>,
): ReplayJob {
  return newReplayJob({
    ...facts,
    workspaceId,
    filter: {
      endpointId,
      statuses: ['failed_permanent'],
      eventTypes: null,
      failureReasons: ['endpoint_disabled'],
      // Rows of the period may be older than it: they were queued or waited for a retry when it began.
      createdAfter: new Date(0),
      createdBefore: enabledAt,
      includeReplayed: false,
    },
    held: { since, until: new Date(enabledAt.getTime() + HELD_ROWS_ARRIVE_MS) },
    dryRun: false,
    ratePerSecond: DEFAULT_REPLAY_RATE,
    createdAt: enabledAt,
  });
}

export function isActiveJob(job: Pick<ReplayJob, 'status'>): boolean {
  return (ACTIVE_JOB_STATUSES as readonly string[]).includes(job.status);
}

export function kindOfJob({ actor }: Pick<ReplayJob, 'actor'>): JobKind {
  return actor.type === SYSTEM.type ? 'system' : 'requested';
}

/** How many of the matched deliveries were replayed or skipped. */
export function handledBy({ replayed, skipped }: Pick<ReplayJob, 'replayed' | 'skipped'>): number {
  return SKIP_REASONS.reduce((sum, reason) => sum + skipped[reason], replayed);
}

/** Ends a job. Deliveries that it did not reach no longer count as matched, so the totals add up; a dry run keeps its count. */
export function endJob(job: ReplayJob, status: 'succeeded' | 'cancelled' | 'failed', at: Date): ReplayJob {
  const matched = job.dryRun && status === 'succeeded' ? job.matched : handledBy(job);
  return { ...job, status, matched, endedAt: at };
}

/** The fields that the filter's conditions without an index need. */
export type FilteredFields = Pick<DeliveryFields, 'eventType' | 'failureReason'> & {
  readonly lastAttempt: Pick<LastAttempt, 'failureReason'> | null;
};

/** Whether a delivery meets the conditions of the filter that no index serves. */
export function matchesFilter(
  {
    eventTypes,
    failureReasons,
    lastFailureReasons,
  }: Pick<ReplayFilter, 'eventTypes' | 'failureReasons' | 'lastFailureReasons'>,
  { eventType, failureReason, lastAttempt }: FilteredFields,
): boolean {
  return (
    isAmong(eventTypes, eventType) &&
    isAmong(failureReasons, failureReason) &&
    isAmong(lastFailureReasons ?? null, lastAttempt?.failureReason ?? null)
  );
}

/** @param asked null for any value */
function isAmong<Value>(asked: readonly Value[] | null, value: Value | null): boolean {
  return asked === null || (value !== null && asked.includes(value));
}

/** The counts of skipped deliveries of a job, with those of these deliveries that it would skip now. */
export function countSkipped(
  { filter, skipped }: Pick<ReplayJob, 'filter' | 'skipped'>,
  sources: readonly ReplaySource[],
): Skipped {
  const counts: Record<SkipReason, number> = { ...skipped };
  for (const source of sources) {
    const reason = skipReason(filter, source);
    if (reason !== null) counts[reason] += 1;
  }
  return counts;
}

/** A matched delivery as it is now; null for rows that no longer exist. */
export interface ReplaySource {
  readonly delivery: (Pick<DeliveryFields, 'status' | 'nextAttemptAt'> & FilteredFields) | null;
  readonly endpoint: Pick<EndpointFields, 'enabled' | 'deletedAt'> | null;
  /** Whether any replay of it exists. */
  readonly isReplayed: boolean;
}

/** @returns why a job does not replay a delivery that it matched; null if it does */
export function skipReason(
  filter: ReplayFilter,
  { delivery, endpoint, isReplayed }: ReplaySource,
): SkipReason | null {
  if (delivery === null) return 'expired';
  const { status, nextAttemptAt } = delivery;
  const isAsked = (filter.statuses as readonly DeliveryStatus[]).includes(status);
  if (!isAsked || nextAttemptAt !== null || !matchesFilter(filter, delivery)) return 'changed';
  if (isReplayed && !filter.includeReplayed) return 'alreadyReplayed';
  switch (closedReason(endpoint)) {
    case 'endpoint_deleted':
      return 'endpointDeleted';
    case 'endpoint_disabled':
      return 'endpointDisabled';
    case null:
      return null;
  }
}
