import type { components } from '@postrider/client';
import { type Filter, readFilter } from '../ui/read-filter.js';

type DeliveryStatus = components['schemas']['DeliveryStatus'];

export const STATUSES = [
  'pending',
  'delivered',
  'failed',
  'failed_permanent',
  'dead_lettered',
] as const satisfies readonly DeliveryStatus[];

const NAMES = [
  'status',
  'endpointId',
  'eventType',
  'eventId',
  'traceId',
  'failureReason',
  'lastFailureReason',
  'httpStatus',
  'createdAfter',
  'createdBefore',
] as const;

/** The filters of the table, as they stand in its address. Absent means any. */
export type DeliveryFilter = Filter<(typeof NAMES)[number]>;

export function readDeliveryFilter(search: Readonly<Record<string, unknown>>): DeliveryFilter {
  return readFilter(NAMES, search);
}

/** The id of a delivery where that of an event can be entered: receivers know a request by it. Null for any other text. */
export function deliveryIdIn({ eventId = '' }: DeliveryFilter): string | null {
  return eventId.startsWith('whd_') ? eventId : null;
}

/** The parameters of the request. The api reports values that it does not know. */
export function queryOf({ httpStatus, ...texts }: DeliveryFilter) {
  return { ...texts, ...(httpStatus !== undefined && { httpStatus: Number(httpStatus) }) };
}
