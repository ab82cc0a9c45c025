import type { EndpointStateName } from '../health/state-name.js';

export interface EndpointFilter {
  /** Part of the id, the URL, the description or an event type. */
  readonly text: string;
  readonly state: EndpointStateName | '';
  /** A name and a value, such as `customer:acme`. */
  readonly metadata: string;
}

export const NO_FILTER: EndpointFilter = { text: '', state: '', metadata: '' };

/** The parameters of the list; fields that are empty are left out. */
export function queryOf(filter: EndpointFilter): Partial<Record<keyof EndpointFilter, string>> {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (value.trim() === '' ? [] : [[name, value.trim()]])),
  );
}
