import { type Filter, readFilter } from '../ui/read-filter.js';

const NAMES = ['text', 'state', 'metadata'] as const;

/**
 * The filters of the list, from its address. Absent means any. `text` is part of the id, the URL, the description or
 * an event type; `state` one state or several; `metadata` a name and a value, such as `customer:acme`.
 */
export type EndpointFilter = Filter<(typeof NAMES)[number]>;

export function readEndpointFilter(search: Readonly<Record<string, unknown>>): EndpointFilter {
  return readFilter(NAMES, search);
}
