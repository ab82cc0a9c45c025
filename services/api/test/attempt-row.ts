import type { AttemptDocument } from '@postrider/shared/mongo/collections';

/** The record of a first attempt that ended with a permanent failure. */
export function refusedAttempt(
  owner: Pick<AttemptDocument, 'deliveryId' | 'workspaceId' | 'endpointId'>,
): Omit<AttemptDocument, '_id'> {
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
