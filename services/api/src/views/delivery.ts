import type { Attempt, Delivery, LastAttempt } from '@postrider/shared/domain/delivery';
import type * as wire from '../contract/delivery.js';

export function showDelivery(delivery: Delivery): wire.Delivery {
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
    createdAt: delivery.createdAt.toISOString(),
  };
}

function showLastAttempt(attempt: LastAttempt): wire.LastAttempt {
  return {
    ordinal: attempt.ordinal,
    httpStatus: attempt.httpStatus,
    failureReason: attempt.failureReason,
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
    attemptedAt: attempt.attemptedAt.toISOString(),
    durationMs: attempt.durationMs,
    requestHeaders: attempt.requestHeaders && { ...attempt.requestHeaders },
    responseBody: attempt.responseBody,
  };
}
