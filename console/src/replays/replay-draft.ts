import type { components } from '@postrider/client';
import { REPLAYABLE_STATUSES, type ReplayableStatus } from '../deliveries/replayable-statuses.js';

type CreateReplayJob = components['schemas']['CreateReplayJob'];
type ReplayFilter = components['schemas']['ReplayFilter'];
type FailureReason = components['schemas']['FailureReason'];
type AttemptFailureReason = components['schemas']['AttemptFailureReason'];

/** Hours before now; `custom` takes the two times of the draft. */
export const PERIODS = ['1', '24', '168', '720', 'custom'] as const;
export type Period = (typeof PERIODS)[number];

/** A set of deliveries while it is described. Empty texts mean any. */
export interface ReplayDraft {
  readonly endpointId: string;
  readonly statuses: readonly ReplayableStatus[];
  readonly eventType: string;
  /** One reason, or several separated by commas. */
  readonly failureReason: string;
  /** The same of the last attempt. */
  readonly lastFailureReason: string;
  readonly period: Period;
  /** In UTC. */
  readonly createdAfter: string;
  readonly createdBefore: string;
  readonly includeReplayed: boolean;
  readonly ratePerSecond: number;
}

type Usual = Pick<ReplayDraft, 'statuses' | 'period'>;

/** What a draft begins with unless the table has a condition of its own. */
const NEWLY_ENDED: Usual = { statuses: ['failed_permanent', 'dead_lettered'], period: '24' };
const ALL: Usual = { statuses: REPLAYABLE_STATUSES, period: '720' };

const RATE = 50;
const HOUR_MS = 3_600_000;

/**
 * The draft for what the table of deliveries shows: its filters become the description.
 *
 * @param limit the only endpoints that the token sees; null for all
 */
export function draftOf(
  filter: Readonly<Record<string, string | undefined>>,
  limit: readonly string[] | null = null,
): ReplayDraft {
  const only = limit?.length === 1 ? limit[0] : undefined;
  const { endpointId = only ?? '', eventType = '', status = '' } = filter;
  const { failureReason = '', lastFailureReason = '', createdAfter = '', createdBefore = '' } = filter;
  const statuses = REPLAYABLE_STATUSES.filter((name) => status.split(',').includes(name));
  // The table shows all that is kept.
  const usual = Object.values(filter).some((value) => value !== undefined) ? ALL : NEWLY_ENDED;
  return {
    endpointId,
    eventType,
    failureReason,
    lastFailureReason,
    statuses: statuses.length > 0 ? statuses : usual.statuses,
    period: createdAfter === '' && createdBefore === '' ? usual.period : 'custom',
    createdAfter,
    createdBefore,
    includeReplayed: false,
    ratePerSecond: RATE,
  };
}

/** A token that sees some endpoints only replays for one of them. */
export function isComplete({ endpointId, statuses }: ReplayDraft, limit: readonly string[] | null): boolean {
  return statuses.length > 0 && (limit === null || endpointId !== '');
}

/** The job that counts what the draft describes. */
export function dryRunOf(draft: ReplayDraft, nowMs: number): CreateReplayJob {
  const { endpointId, statuses, eventType, failureReason, lastFailureReason } = draft;
  const { includeReplayed, ratePerSecond } = draft;
  return {
    ...(endpointId !== '' && { endpointId }),
    ...(eventType !== '' && { eventTypes: [eventType] }),
    ...(failureReason !== '' && { failureReasons: failureReason.split(',') as FailureReason[] }),
    ...(lastFailureReason !== '' && {
      lastFailureReasons: lastFailureReason.split(',') as AttemptFailureReason[],
    }),
    ...boundsOf(draft, nowMs),
    statuses: [...statuses],
    includeReplayed,
    ratePerSecond,
    dryRun: true,
  };
}

function boundsOf({ period, createdAfter, createdBefore }: ReplayDraft, nowMs: number) {
  if (period !== 'custom') return { createdAfter: new Date(nowMs - Number(period) * HOUR_MS).toISOString() };
  return {
    createdAfter,
    ...(createdBefore !== '' && { createdBefore }),
  };
}

/** The job that replays exactly what a dry run has counted. */
export function jobOf(filter: ReplayFilter, ratePerSecond: number): CreateReplayJob {
  const { endpointId, eventTypes, failureReasons, lastFailureReasons, ...rest } = filter;
  return {
    ...rest,
    ...(endpointId !== null && { endpointId }),
    ...(eventTypes !== null && { eventTypes }),
    ...(failureReasons !== null && { failureReasons }),
    ...(lastFailureReasons != null && { lastFailureReasons }),
    ratePerSecond,
  };
}

/** The parameters of a list of the deliveries that a job is about. The list takes one event type. */
export function examplesOf({ endpointId, eventTypes, statuses, ...others }: ReplayFilter) {
  const { failureReasons, lastFailureReasons, ...times } = others;
  return {
    createdAfter: times.createdAfter,
    createdBefore: times.createdBefore,
    status: statuses.join(','),
    ...(endpointId !== null && { endpointId }),
    ...(eventTypes?.[0] !== undefined && { eventType: eventTypes[0] }),
    ...(failureReasons !== null && { failureReason: failureReasons.join(',') }),
    ...(lastFailureReasons != null && { lastFailureReason: lastFailureReasons.join(',') }),
  };
}
