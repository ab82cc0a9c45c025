import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import { firstIdAt } from '@postrider/shared/domain/id';
import { REPLAYABLE_STATUSES } from '@postrider/shared/domain/replay-job';
import { ALL_DUE, type DeliveryDocument } from '@postrider/shared/mongo/collections';
import type { Filter } from 'mongodb';
import type { DeliverySlice } from '../ports/reads.js';
import type { TwoPartQuery } from './bounded-read.js';

/** Maximum number of index ranges whose rows the database merges in their order; the rows of more ranges it sorts. */
const MAX_MERGED_RANGES = 200;

export interface DeliveryQuery extends TwoPartQuery<DeliveryDocument> {
  /** The index of `indexed`. The database might choose the index of `_id`, which has the rows of all workspaces. */
  readonly hint: Readonly<Record<string, 1>>;
  /** Due rows that include every row of the list; null if the list may have rows that are not due. */
  readonly due: Filter<DeliveryDocument> | null;
}

/** @returns the query of a list, or null if its conditions exclude each other */
export function deliveryQuery(workspaceId: string, slice: DeliverySlice): DeliveryQuery | null {
  const statuses = possibleStatuses(slice);
  if (statuses?.length === 0) return null;
  const { eventId, traceId, endpointIds, eventType, failureReasons, lastFailureReasons, httpStatus } = slice;
  const _id = rangeOf(slice);
  const ofStatuses = statuses !== null && { status: { $in: [...statuses] } };
  const ofEndpoints = endpointIds !== null && { endpointId: { $in: [...endpointIds] } };
  const others: Filter<DeliveryDocument> = {
    ...(eventType !== null && { eventType }),
    ...(failureReasons !== null && { failureReason: { $in: [...failureReasons] } }),
    ...(lastFailureReasons !== null && { 'lastAttempt.failureReason': { $in: [...lastFailureReasons] } }),
    ...(httpStatus !== null && { 'lastAttempt.httpStatus': httpStatus }),
  };
  if (eventId !== null) {
    // A producer may send an event to several workspaces.
    const rest = {
      workspaceId,
      ...others,
      ...(traceId !== null && { traceId }),
      ...ofEndpoints,
      ...ofStatuses,
    };
    return byIndex({ 'payload.eventId': eventId }, _id, rest);
  }
  if (traceId !== null)
    return byIndex({ workspaceId, traceId }, _id, { ...others, ...ofEndpoints, ...ofStatuses });
  const owner = ofEndpoints || { workspaceId };
  if (statuses !== null && areInOrder(statuses, endpointIds?.length ?? 1))
    return byIndex({ ...owner, ...ofStatuses }, _id, others);
  const arePending = ofEndpoints && statuses?.every((status) => status === 'pending');
  const due = arePending ? { ...ofEndpoints, ...ALL_DUE } : null;
  return { ...byIndex(owner, _id, { ...others, ...ofStatuses }), due };
}

/** Each index has `_id` after the fields of these conditions. */
function byIndex(
  keys: Filter<DeliveryDocument>,
  _id: Filter<DeliveryDocument>,
  others: Filter<DeliveryDocument>,
): DeliveryQuery {
  const hint = Object.fromEntries([...Object.keys(keys), '_id'].map((key) => [key, 1] as const));
  return { indexed: { ...keys, ..._id }, others: orNull(others), hint, due: null };
}

/** The statuses that rows may have, as only failures have a reason; null for all. */
function possibleStatuses({
  statuses,
  failureReasons,
  lastFailureReasons,
}: DeliverySlice): readonly DeliveryStatus[] | null {
  if (failureReasons === null && lastFailureReasons === null) return statuses;
  return REPLAYABLE_STATUSES.filter((status) => statuses === null || statuses.includes(status));
}

/** Whether an index has the rows with these statuses in the order of the list. Only failures have such indexes. */
function areInOrder(statuses: readonly DeliveryStatus[], owners: number): boolean {
  const isFailure = (status: DeliveryStatus) => (REPLAYABLE_STATUSES as readonly string[]).includes(status);
  return statuses.every(isFailure) && statuses.length * owners <= MAX_MERGED_RANGES;
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
