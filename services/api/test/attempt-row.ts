import type { Attempt } from '@postrider/shared/domain/delivery';

/** The record of a first attempt that ended with a permanent failure. */
export function refusedAttempt(owner: Pick<Attempt, 'deliveryId' | 'workspaceId' | 'endpointId'>): Attempt {
  return {
    ...owner,
    ordinal: 1,
    status: 'failed_permanent',
    httpStatus: 404,
    failureReason: 'http_status',
    attemptedAt: new Date(),
    durationMs: 12.5,
    requestHeaders: { 'webhook-id': owner.deliveryId },
    responseBody: 'not here',
    streak: { version: 1, before: 0, after: 1 },
  };
}
