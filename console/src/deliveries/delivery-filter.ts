import type { components } from '@postrider/client';

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
export type DeliveryFilter = { readonly [Name in (typeof NAMES)[number]]?: string };

/** Reads the filters of an address. Other names are ignored: an address can come from another version. */
export function readDeliveryFilter(search: Readonly<Record<string, unknown>>): DeliveryFilter {
  const given = NAMES.flatMap((name) => {
    const text = String(search[name] ?? '').trim();
    return text === '' ? [] : [[name, text] as const];
  });
  return Object.fromEntries(given);
}

/** The parameters of the request. The api reports values that it does not know. */
export function queryOf({ httpStatus, ...texts }: DeliveryFilter) {
  return { ...texts, ...(httpStatus !== undefined && { httpStatus: Number(httpStatus) }) };
}
