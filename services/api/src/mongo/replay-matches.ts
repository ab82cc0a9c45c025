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

/** The conditions that an index serves, and the index. */
interface MatchingQuery {
  readonly filter: Filter<DeliveryDocument>;
  /** The database might choose the index of `_id`, which has the rows of all workspaces, where the first rows match. */
  readonly hint: Readonly<Record<string, 1>>;
}

/** The next rows that fulfil the conditions which an index serves, oldest first. */
export async function matchingRows(
  deliveries: Collections['deliveries'],
  job: Pick<ReplayJob, 'workspaceId' | 'filter' | 'held'>,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<readonly MatchingRow[]> {
  const { filter, hint } = job.held === null ? byStatus(job, after) : byPeriod(job, job.held.since, after);
  const rows = await deliveries
    .find(filter, { projection: { eventType: 1, failureReason: 1, 'lastAttempt.failureReason': 1 }, hint })
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
): MatchingQuery {
  const { endpointId, statuses, createdAfter, createdBefore } = filter;
  const start = firstIdAt('delivery', new Date(createdAfter.getTime() + 1));
  const _id = {
    ...(after === null ? { $gte: start } : { $gt: after }),
    $lt: firstIdAt('delivery', createdBefore),
  };
  const conditions = { status: { $in: [...statuses] }, _id, ...NO_RECOVERY_PROBE };
  return endpointId === null
    ? { filter: { workspaceId, ...conditions }, hint: { workspaceId: 1, status: 1, _id: 1 } }
    : { filter: { endpointId, ...conditions }, hint: { endpointId: 1, status: 1, _id: 1 } };
}

function byPeriod(
  { filter: { endpointId } }: Pick<ReplayJob, 'filter'>,
  heldSince: Date,
  after: string | null,
): MatchingQuery {
  const filter = {
    ...(endpointId && { endpointId }),
    heldSince,
    ...(after !== null && { _id: { $gt: after } }),
    ...NO_RECOVERY_PROBE,
  };
  return { filter, hint: { endpointId: 1, heldSince: 1, _id: 1 } };
}
