import {
  type Attempt,
  type Delivery,
  type LastAttempt,
  lastResponseOf,
} from '@postrider/shared/domain/delivery';
import type * as wire from '../contract/delivery.js';

/** @param replayedBy the newest replay of the delivery, if there is one */
export function showDelivery(delivery: Delivery, replayedBy: string | null = null): wire.Delivery {
  const { eventId } = delivery.payload;
  const response = lastResponseOf(delivery);
  return {
    deliveryId: delivery.id,
    endpointId: delivery.endpointId,
    eventType: delivery.eventType,
    payload: { ...delivery.payload },
    status: delivery.status,
    failureReason: delivery.failureReason,
    attempts: delivery.attempts,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    ...(delivery.replayedFrom !== null && { replayedFrom: delivery.replayedFrom }),
    lastAttempt: delivery.lastAttempt && showLastAttempt(delivery.lastAttempt),
    lastResponse: response && { ...response, attemptedAt: response.attemptedAt.toISOString() },
    eventId: typeof eventId === 'string' ? eventId : null,
    traceId: delivery.traceId,
    replayedBy,
    createdAt: delivery.createdAt.toISOString(),
  };
}

function showLastAttempt(attempt: LastAttempt): wire.LastAttempt {
  return {
    ordinal: attempt.ordinal,
    httpStatus: attempt.httpStatus,
    failureReason: attempt.failureReason,
    errorDetail: attempt.errorDetail ?? null,
    responseBody: attempt.responseBody,
    attemptedAt: attempt.attemptedAt.toISOString(),
    durationMs: attempt.durationMs,
  };
}

export function showAttempt(attempt: Attempt): wire.DeliveryAttempt {
  return {
    deliveryId: attempt.deliveryId,
    ordinal: attempt.ordinal,
    status: attempt.status,
    httpStatus: attempt.httpStatus,
    failureReason: attempt.failureReason,
    errorDetail: attempt.errorDetail ?? null,
    attemptedAt: attempt.attemptedAt.toISOString(),
    durationMs: attempt.durationMs,
    requestHeaders: attempt.requestHeaders && headersAsSent(attempt.requestHeaders),
    responseBody: attempt.responseBody,
    timings: attempt.timings ? { ...attempt.timings } : null,
    remoteAddress: attempt.remoteAddress ?? null,
  };
}

/** Adds the header that is the same for every request and therefore not stored. Older versions stored no host either. */
function headersAsSent(stored: NonNullable<Attempt['requestHeaders']>): Record<string, string> {
  return { ...stored, ...(stored.host !== undefined && { connection: 'keep-alive' }) };
}
