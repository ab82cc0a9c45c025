import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import { firstIdAt } from '@postrider/shared/domain/id';
import { REPLAYABLE_STATUSES } from '@postrider/shared/domain/replay-job';
import { type DeliveryDocument, STILL_DUE } from '@postrider/shared/mongo/collections';
import type { Filter } from 'mongodb';
import type { DeliverySlice } from '../ports/reads.js';
import type { TwoPartQuery } from './bounded-read.js';

/** @returns the query of a list, or null if its conditions exclude each other */
export function deliveryQuery(
  workspaceId: string,
  slice: DeliverySlice,
): TwoPartQuery<DeliveryDocument> | null {
  const statuses = possibleStatuses(slice);
  if (statuses?.length === 0) return null;
  const { eventId, traceId, endpointIds, eventType, failureReasons, httpStatus } = slice;
  const _id = rangeOf(slice);
  const state = statuses === null ? null : stateOf(statuses, endpointIds !== null);
  const others: Filter<DeliveryDocument> = {
    ...(eventType !== null && { eventType }),
    ...(failureReasons !== null && { failureReason: { $in: [...failureReasons] } }),
    ...(httpStatus !== null && { 'lastAttempt.httpStatus': httpStatus }),
  };
  if (eventId !== null || traceId !== null) {
    const rest = {
      ...others,
      ...(eventId !== null && traceId !== null && { traceId }),
      ...(endpointIds !== null && { endpointId: { $in: [...endpointIds] } }),
      ...(statuses !== null && { status: { $in: [...statuses] } }),
    };
    const key = eventId === null ? { workspaceId, traceId: `${traceId}` } : { 'payload.eventId': eventId };
    return { indexed: { ...key, ..._id }, others: orNull(rest) };
  }
  const owner = endpointIds === null ? { workspaceId } : { endpointId: { $in: [...endpointIds] } };
  if (state?.isIndexed) return { indexed: { ...owner, ...state.filter, ..._id }, others: orNull(others) };
  return { indexed: { ...owner, ..._id }, others: orNull({ ...others, ...state?.filter }) };
}

/** Only failures have a reason. Null: all. */
function possibleStatuses({ statuses, failureReasons }: DeliverySlice): readonly DeliveryStatus[] | null {
  if (failureReasons === null) return statuses;
  return REPLAYABLE_STATUSES.filter((status) => statuses === null || statuses.includes(status));
}

interface StateCondition {
  readonly filter: Filter<DeliveryDocument>;
  /** Whether an index has exactly these rows. */
  readonly isIndexed: boolean;
}

/**
 * Indexes exist of failures and of due rows. The condition on pending rows lets the query planner choose between two
 * indexes. If few rows are pending, the index of due rows finds them and the database sorts them; if many are, it soon
 * finds them in the order of the list.
 */
function stateOf(statuses: readonly DeliveryStatus[], isOfEndpoint: boolean): StateCondition {
  const [first] = statuses;
  if (statuses.length === 1 && first === 'pending') {
    return { filter: { status: first, ...STILL_DUE }, isIndexed: isOfEndpoint };
  }
  const isFailure = (status: DeliveryStatus) => (REPLAYABLE_STATUSES as readonly string[]).includes(status);
  return { filter: { status: { $in: [...statuses] } }, isIndexed: statuses.every(isFailure) };
}

/** Converts times to a range of the time-ordered `_id`, so that one index serves both order and dates. */
function rangeOf({ createdAfter, createdBefore, after }: DeliverySlice): Filter<DeliveryDocument> {
  const start = createdAfter && firstIdAt('delivery', new Date(createdAfter.getTime() + 1));
  const before = createdBefore && firstIdAt('delivery', createdBefore);
  const [end] = [before, after].filter((id) => id !== null).sort();
  const range = { ...(start !== null && { $gte: start }), ...(end !== undefined && { $lt: end }) };
  return Object.keys(range).length === 0 ? {} : { _id: range };
}

function orNull(filter: Filter<DeliveryDocument>): Filter<DeliveryDocument> | null {
  return Object.keys(filter).length === 0 ? null : filter;
}
