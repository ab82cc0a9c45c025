import { asId, type DeliveryId, firstIdAt } from '@postrider/shared/domain/id';
import type { FilteredFields, ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Collections, DeliveryDocument } from '@postrider/shared/mongo/collections';
import type { Filter } from 'mongodb';

/** A recovery probe tests whether its endpoint has recovered; the endpoint did not miss it. */
const NO_RECOVERY_PROBE = { probeOf: { $exists: false } } as const;

/** A row that may match, with the fields of the conditions that no index serves. */
export interface MatchingRow extends FilteredFields {
  readonly id: DeliveryId;
}

/** The next rows that fulfil the conditions which an index serves, oldest first. */
export async function matchingRows(
  deliveries: Collections['deliveries'],
  job: Pick<ReplayJob, 'workspaceId' | 'filter' | 'held'>,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly MatchingRow[]> {
  const rows = await deliveries
    .find(job.held === null ? byStatus(job, after) : byPeriod(job, job.held.since, after), {
      projection: { eventType: 1, failureReason: 1, 'lastAttempt.failureReason': 1 },
    })
    .sort({ _id: 1 })
    .limit(limit)
    .toArray();
  return rows.map(({ _id, eventType, failureReason, lastAttempt }) => ({
    id: asId('delivery', _id),
    eventType,
    failureReason,
    lastAttempt: lastAttempt ?? null,
  }));
}

function byStatus(
  { workspaceId, filter }: Pick<ReplayJob, 'workspaceId' | 'filter'>,
  after: string | null,
): Filter<DeliveryDocument> {
  const { endpointId, statuses, createdAfter, createdBefore } = filter;
  const start = firstIdAt('delivery', new Date(createdAfter.getTime() + 1));
  const _id = {
    ...(after === null ? { $gte: start } : { $gt: after }),
    $lt: firstIdAt('delivery', createdBefore),
  };
  const owner = endpointId === null ? { workspaceId } : { endpointId };
  return { ...owner, status: { $in: [...statuses] }, _id, ...NO_RECOVERY_PROBE };
}

function byPeriod(
  { filter: { endpointId } }: Pick<ReplayJob, 'filter'>,
  heldSince: Date,
  after: string | null,
): Filter<DeliveryDocument> {
  return {
    ...(endpointId && { endpointId }),
    heldSince,
    ...(after !== null && { _id: { $gt: after } }),
    ...NO_RECOVERY_PROBE,
  };
}
