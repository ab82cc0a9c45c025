import { type Document, MongoServerError } from 'mongodb';
import type { WorkspaceId } from '../domain/id.js';
import { ALL_DUE, BY_DELETION, BY_DUE_TIME, type Collections, LIVE } from './collections.js';
import { idPages } from './id-pages.js';

/** Endpoints in one query for pending deliveries: its list of identifiers must stay far below the size limit of a query. */
const ENDPOINTS_AT_ONCE = 5_000;

/**
 * The pending deliveries of a workspace, or, if its due rows are too many or too large to read them, its due deliveries: pending
 * ones and those that wait for a retry.
 */
export interface PendingCount {
  readonly of: 'pending' | 'due';
  readonly count: number;
}
export type PendingCounts = ReadonlyMap<string, PendingCount>;

/** Deliveries that were created from `from` (inclusive) to `to` (exclusive), or all since `from`. */
export interface CreationSpan {
  readonly from: Date;
  readonly to: Date | null;
  /** The same span as a condition on `_id`. */
  readonly _id: { readonly $gte: string; readonly $lt?: string };
}

/** What bounds the counts. */
export interface CountLimits {
  /** Maximum number of due rows that are read to count the pending deliveries of a workspace. */
  readonly maxDueRowsRead: number;
  /** Maximum duration of reading them in milliseconds: their payloads may be large. */
  readonly maxReadMs: number;
  /** Maximum number of deleted endpoints of a workspace whose deliveries may be pending. */
  readonly maxDeletedRead: number;
  /** Maximum duration of one query in milliseconds. */
  readonly maxTimeMS?: number;
}

type PendingParts = Pick<Collections, 'endpoints' | 'deliveries'> & { readonly limits: CountLimits };

/** The server's code for a query that exceeded its time limit. */
const TIME_LIMIT_EXCEEDED = 50;

/**
 * Counts pending deliveries of workspaces. No index has them by the time of creation, so due rows are read, up to a limit. For a
 * workspace that has more, or whose rows take too long to read, index keys of due rows with due times in the span are counted: a pending delivery is due when it is
 * stored. These are hardly more than the deliveries of the span.
 *
 * A workspace may create and delete endpoints without end, so only those that were deleted last are read. The deliveries of the
 * others have most likely ended.
 */
export function createPendingCounts({ endpoints, deliveries, limits }: PendingParts) {
  const { maxDueRowsRead, maxDeletedRead } = limits;
  const withinTime = limits.maxTimeMS === undefined ? {} : { maxTimeMS: limits.maxTimeMS };
  const ofEndpoints = { hint: BY_DELETION, ...withinTime };
  const ofDeliveries = { hint: BY_DUE_TIME, ...withinTime };
  const ofRows = {
    hint: BY_DUE_TIME,
    maxTimeMS: Math.min(limits.maxReadMs, limits.maxTimeMS ?? limits.maxReadMs),
  };
  const deletedSince = (workspaceIds: readonly WorkspaceId[], from: Date) => ({
    workspaceId: { $in: [...workspaceIds] },
    deletedAt: { $gte: from },
  });
  const idsOf = { projection: { _id: 1 }, ...ofEndpoints } as const;

  /** One that is deleted meanwhile may be found twice. */
  async function* endpointsOf(workspaceIds: readonly WorkspaceId[], from: Date) {
    const live = endpoints.find({ workspaceId: { $in: [...workspaceIds] }, ...LIVE }, idsOf);
    yield* idPages(live, ENDPOINTS_AT_ONCE);
    const lastDeleted = { ...idsOf, sort: { deletedAt: -1 }, limit: maxDeletedRead } as const;
    yield* idPages(endpoints.find(deletedSince(workspaceIds, from), lastDeleted), ENDPOINTS_AT_ONCE);
  }

  /** Whether the endpoints that one workspace deleted could be read instead of those of another one. */
  const shareTooManyDeleted = async (workspaceIds: readonly WorkspaceId[], from: Date) => {
    if (workspaceIds.length <= 1) return false;
    const options = { ...ofEndpoints, limit: maxDeletedRead + 1 };
    return (await endpoints.countDocuments(deletedSince(workspaceIds, from), options)) > maxDeletedRead;
  };

  /**
   * @returns null if too many endpoints of several workspaces were deleted, or too many rows are due
   * @throws MongoServerError if reading takes too long
   */
  const readRows = async (workspaceIds: readonly WorkspaceId[], { from, _id }: CreationSpan) => {
    if (await shareTooManyDeleted(workspaceIds, from)) return null;
    const counts = new Map<string, PendingCount>();
    let left = maxDueRowsRead;
    for await (const endpointIds of endpointsOf(workspaceIds, from)) {
      const stages = [
        { $match: { endpointId: { $in: [...endpointIds] }, ...ALL_DUE } },
        { $limit: left + 1 },
        { $group: { _id: '$workspaceId', read: { $sum: 1 }, pending: { $sum: countsAsPending(_id) } } },
      ];
      const found = deliveries.aggregate<PendingRow>(stages, ofRows);
      for await (const { _id: id, read, pending } of found) {
        left -= read;
        counts.set(id, { of: 'pending', count: (counts.get(id)?.count ?? 0) + pending });
      }
      if (left < 0) return null;
    }
    return counts;
  };

  /** @returns null if these workspaces cannot be counted by reading their rows together */
  const readPending = async (workspaceIds: readonly WorkspaceId[], span: CreationSpan) => {
    try {
      return await readRows(workspaceIds, span);
    } catch (error) {
      if (error instanceof MongoServerError && error.code === TIME_LIMIT_EXCEEDED) return null;
      throw error;
    }
  };

  const countDue = async (workspaceId: WorkspaceId, { from, to }: CreationSpan): Promise<PendingCount> => {
    const dueAt = { $gte: from, ...(to && { $lt: to }) };
    let count = 0;
    for await (const endpointIds of endpointsOf([workspaceId], from))
      count += await deliveries.countDocuments(
        { endpointId: { $in: [...endpointIds] }, dueAt },
        ofDeliveries,
      );
    return { of: 'due', count };
  };

  return async function count(
    workspaceIds: readonly WorkspaceId[],
    span: CreationSpan,
  ): Promise<PendingCounts> {
    const counts = await readPending(workspaceIds, span);
    if (counts !== null) return counts;
    const [first, ...others] = workspaceIds;
    if (first !== undefined && others.length === 0) return new Map([[first, await countDue(first, span)]]);
    // Each on its own, so that the counts of the others are exact.
    const alone: [string, PendingCount][] = [];
    for (const id of workspaceIds) alone.push(...(await count([id], span)));
    return new Map(alone);
  };
}

interface PendingRow {
  readonly _id: string;
  readonly read: number;
  readonly pending: number;
}

function countsAsPending({ $gte, $lt }: CreationSpan['_id']): Document {
  const conditions = [
    { $eq: ['$status', 'pending'] },
    { $gte: ['$_id', $gte] },
    ...($lt === undefined ? [] : [{ $lt: ['$_id', $lt] }]),
  ];
  return { $cond: [{ $and: conditions }, 1, 0] };
}
