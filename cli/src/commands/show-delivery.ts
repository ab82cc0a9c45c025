import type { components } from '@postrider/client';
import { statusOf } from './shown-status.js';

type Delivery = components['schemas']['Delivery'];
type Attempt = components['schemas']['DeliveryAttempt'];

/** Characters shown of a response body. */
const SHOWN_BODY = 200;

type Failed = Pick<Attempt, 'failureReason' | 'errorDetail'>;

/** Why an attempt failed; for TLS with the detail, if any. */
export function reasonOf(attempt: Failed | null): string | null {
  if (!attempt?.failureReason) return null;
  const { failureReason, errorDetail } = attempt;
  return errorDetail ? `${failureReason} (${errorDetail})` : failureReason;
}

export function showDelivery(delivery: Delivery): readonly string[] {
  const { deliveryId, eventType, endpointId, createdAt, eventId, traceId } = delivery;
  const { nextAttemptAt, replayedFrom, replayedBy, failureReason } = delivery;
  return [
    `${deliveryId}  ${statusOf(delivery)}${failureReason === null ? '' : ` (${failureReason})`}`,
    `  ${eventType} to ${endpointId}, created ${createdAt}`,
    `  event ${eventId ?? '–'}, trace ${traceId}`,
    ...(nextAttemptAt === null ? [] : [`  next attempt ${nextAttemptAt}`]),
    ...(replayedFrom === undefined ? [] : [`  replay of ${replayedFrom}`]),
    ...(replayedBy === null ? [] : [`  replayed by ${replayedBy}`]),
  ];
}

/** The attempts of a delivery, one or two lines each, with the time since the first. */
export function showTimeline(attempts: readonly Attempt[]): readonly string[] {
  const start = Date.parse(attempts[0]?.attemptedAt ?? '');
  return attempts.flatMap((attempt) => {
    const { ordinal, attemptedAt, httpStatus, durationMs, responseBody } = attempt;
    const after = Math.round((Date.parse(attemptedAt) - start) / 1_000);
    const evidence = [
      httpStatus === null ? null : `HTTP ${httpStatus}`,
      reasonOf(attempt),
      durationMs === null ? null : `${durationMs} ms`,
      attempt.remoteAddress,
    ].filter((part) => part !== null);
    return [
      `  ${ordinal}. +${after} s  ${statusOf(attempt)}  ${evidence.join(', ')}`,
      ...(responseBody ? [`       ${responseBody.slice(0, SHOWN_BODY)}`] : []),
    ];
  });
}
