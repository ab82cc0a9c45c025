import type { AuditEvent } from './audit-event.js';
import {
  type Attempt,
  type AttemptResult,
  type AttemptTimings,
  acceptsAttempt,
  type DeliverySummary,
  type ErrorDetail,
  endUnsent,
  type LastAttempt,
  lastResponseOf,
} from './delivery.js';
import { disabledSince } from './disabled-period.js';
import type { SettledEndpoint } from './endpoint.js';
import type { DeliveryId, EndpointId } from './id.js';
import { judge, type Outcome, type Verdict } from './judge.js';
import type { Notification } from './notification.js';
import { finalVerdict, recover } from './recover.js';
import { unsentReason } from './recovery-probe.js';
import type { ReplayJob } from './replay-job.js';
import { backoffMs, DEAD_LETTER_DUE_MS, MAX_ATTEMPTS } from './retry-policy.js';
import { countAttempt, type StreakStep } from './streak.js';
import { NO_RECORDS, streakRecords } from './streak-records.js';

/** One POST, or one refusal to send it, as the engine observed it. */
export interface AttemptObservation {
  readonly kind: 'attempt';
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
  readonly ordinal: number;
  readonly outcome: Outcome;
  readonly attemptedAt: Date;
  /** When the outcome was known: the backoff starts here. */
  readonly endedAt: Date;
  /** Null when nothing was sent. */
  readonly durationMs: number | null;
  readonly requestHeaders: Readonly<Record<string, string>> | null;
  readonly timings?: AttemptTimings | null;
  /** The address that was connected to; null if no connection was established. */
  readonly remoteAddress?: string | null;
  readonly errorDetail?: ErrorDetail;
}

/** A delivery became due for an endpoint that no longer receives deliveries. */
export interface Cancellation {
  readonly kind: 'cancellation';
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
  readonly ordinal: number;
  readonly endedAt: Date;
}

export type Observation = AttemptObservation | Cancellation;

/** The stored state that an observation is applied to; null for rows that no longer exist. */
export interface Situation {
  readonly delivery: DeliverySummary | null;
  readonly endpoint: SettledEndpoint | null;
}

/** The writes of one observation, all or nothing. */
export interface Settlement {
  readonly delivery: DeliverySummary;
  readonly attempt: Attempt;
  /** Null if the endpoint does not change. */
  readonly endpoint: SettledEndpoint | null;
  readonly audit: AuditEvent | null;
  readonly notification: Notification | null;
  /** Present if the endpoint was enabled again: replays the deliveries held meanwhile. */
  readonly replayJob?: ReplayJob;
}

/** The writes of an observation that concerns its delivery alone. */
const NOTHING_OF_ENDPOINT = { endpoint: null, ...NO_RECORDS } as const;

/**
 * The state machine of a delivery. Pure: it may run twice.
 *
 * The first stored observation of an ordinal wins. An observation that is not the row's next one, or whose row is
 * terminal or missing, writes nothing: it can neither regress the summary nor repeat a streak change or an audit event.
 *
 * @returns null if there is nothing to write
 */
export function settle(
  situation: Situation,
  observation: Observation,
  retryStepMs: number,
): Settlement | null {
  const { delivery, endpoint } = situation;
  if (delivery === null || !acceptsAttempt(delivery, observation.ordinal)) return null;
  if (observation.kind === 'cancellation') return cancel(delivery, endpoint, observation);
  return settleAttempt({ delivery, endpoint, observation, retryStepMs });
}

/** Whether the last attempt of a row is this very observation, and not another one of the same ordinal. */
export function isRecorded(delivery: DeliverySummary | null, observation: Observation): boolean {
  const last = delivery?.lastAttempt ?? null;
  if (last === null || observation.kind === 'cancellation') return false;
  const seen = lastAttemptOf(observation, judge(observation.outcome));
  return (
    last.ordinal === seen.ordinal &&
    last.attemptedAt.getTime() === seen.attemptedAt.getTime() &&
    last.durationMs === seen.durationMs &&
    last.httpStatus === seen.httpStatus &&
    last.failureReason === seen.failureReason
  );
}

function cancel(
  delivery: DeliverySummary,
  endpoint: SettledEndpoint | null,
  cancellation: Cancellation,
): Settlement | null {
  const reason = unsentReason(delivery, endpoint);
  if (reason === null) return null;
  const ended = endUnsent(delivery, reason, cancellation.endedAt);
  const isHeld = endpoint !== null && reason === 'endpoint_disabled';
  return {
    delivery: {
      ...ended.delivery,
      ...(isHeld && { heldSince: delivery.probeOf ?? disabledSince(endpoint) }),
    },
    attempt: ended.attempt,
    ...NOTHING_OF_ENDPOINT,
  };
}

/** An observation of the row's next attempt, with its endpoint. */
interface Observed {
  readonly delivery: DeliverySummary;
  readonly endpoint: SettledEndpoint | null;
  readonly observation: AttemptObservation;
  readonly retryStepMs: number;
}

function settleAttempt(observed: Observed): Settlement {
  const { delivery, endpoint, observation, retryStepMs } = observed;
  if (delivery.probeOf !== undefined) return settleRecoveryProbe(observed);
  const verdict = judge(observation.outcome);
  const streakStep = endpoint && countAttempt(endpoint, verdict, observation.endedAt);
  const accepted = { delivery, observation, verdict, streakStep, retryStepMs };
  return {
    delivery: summarise(accepted),
    attempt: recordOf(accepted),
    endpoint: streakStep?.change ? streakStep.endpoint : null,
    ...(streakStep === null ? NO_RECORDS : streakRecords(streakStep, observation)),
  };
}

/** A recovery probe counts in no streak; a success enables its endpoint. The change of the streak is in the audit entry. */
function settleRecoveryProbe({ delivery, endpoint, observation, retryStepMs }: Observed): Settlement {
  const verdict = finalVerdict(judge(observation.outcome));
  const accepted = { delivery, observation, verdict, streakStep: null, retryStepMs };
  const recovery = recover(delivery, endpoint, { verdict, at: observation.endedAt });
  return {
    delivery: summarise(accepted),
    attempt: recordOf(accepted),
    ...(recovery ?? NOTHING_OF_ENDPOINT),
  };
}

/** An observation of the row's next attempt, with its verdict. */
interface Accepted extends Omit<Observed, 'endpoint'> {
  readonly verdict: Verdict;
  readonly streakStep: StreakStep | null;
}

function summarise({ delivery, observation, verdict, streakStep, retryStepMs }: Accepted): DeliverySummary {
  const { ordinal, endedAt } = observation;
  const earlier = observation.outcome.kind === 'answered' ? null : lastResponseOf(delivery);
  const counted = {
    ...delivery,
    attempts: ordinal,
    lastAttempt: lastAttemptOf(observation, verdict),
    ...(earlier !== null && { lastResponse: earlier }),
    nextAttemptAt: null,
    dueAt: null,
    failingSince: null,
  };
  switch (verdict.kind) {
    case 'delivered':
      return { ...counted, status: 'delivered', failureReason: null };
    case 'permanent':
      return { ...counted, status: 'failed_permanent', failureReason: verdict.reason };
    case 'retryable': {
      const failed = { ...counted, status: 'failed' as const, failureReason: verdict.reason };
      if (ordinal >= MAX_ATTEMPTS) {
        const failingSince = streakStep?.endpoint.failingSince ?? endedAt;
        return { ...failed, dueAt: new Date(endedAt.getTime() + DEAD_LETTER_DUE_MS), failingSince };
      }
      const due = new Date(endedAt.getTime() + backoffMs(ordinal, retryStepMs));
      return { ...failed, nextAttemptAt: due, dueAt: due };
    }
  }
}

function lastAttemptOf(observation: AttemptObservation, verdict: Verdict): LastAttempt {
  const { outcome } = observation;
  return {
    ordinal: observation.ordinal,
    httpStatus: outcome.kind === 'answered' ? outcome.httpStatus : null,
    failureReason: verdict.kind === 'delivered' ? null : verdict.reason,
    ...(observation.errorDetail !== undefined && { errorDetail: observation.errorDetail }),
    responseBody: outcome.kind === 'answered' ? outcome.responseBody : null,
    attemptedAt: observation.attemptedAt,
    durationMs: observation.durationMs,
  };
}

function resultOf(verdict: Verdict): AttemptResult {
  switch (verdict.kind) {
    case 'delivered':
      return { status: 'delivered', failureReason: null };
    case 'retryable':
      return { status: 'failed', failureReason: verdict.reason };
    case 'permanent':
      return { status: 'failed_permanent', failureReason: verdict.reason };
  }
}

function recordOf({ delivery, observation, verdict, streakStep }: Accepted): Attempt {
  return {
    deliveryId: delivery.id,
    workspaceId: delivery.workspaceId,
    endpointId: delivery.endpointId,
    ...lastAttemptOf(observation, verdict),
    ...resultOf(verdict),
    requestHeaders: observation.requestHeaders,
    ...(observation.timings !== undefined && { timings: observation.timings }),
    ...(observation.remoteAddress !== undefined && { remoteAddress: observation.remoteAddress }),
    streak: streakStep?.change ?? null,
  };
}
