/** A value that a filter compares with. Values are compared with their JSON type, and null is a value. */
export type FilterValue = string | number | boolean | null;

/** Conditions on a value; all of them must hold. */
export interface FilterConditions {
  readonly equals?: FilterValue;
  /** Any value but this one, or but these. */
  readonly anything_but?: FilterValue | readonly FilterValue[];
  readonly prefix?: string;
  readonly suffix?: string;
  /** Numbers are compared with numbers, and strings with strings in the order of their UTF-16 code units. */
  readonly gt?: number | string;
  readonly gte?: number | string;
  readonly lt?: number | string;
  readonly lte?: number | string;
  /** Whether the path exists in the payload. */
  readonly exists?: boolean;
}

/** Dotted paths in a payload and what must be found there: every path must match, by one item of its list. */
export type EventFilter = Readonly<Record<string, readonly (FilterValue | FilterConditions)[]>>;

/** A filter as it is stored: its JSON text. Field names of a database could not be arbitrary paths. */
export type StoredFilter = string;

export const MAX_FILTER_PATHS = 10;
/** Maximum size of a filter's JSON text in UTF-8, in bytes. */
export const MAX_FILTER_BYTES = 2_048;

export function storeFilter(filter: EventFilter): StoredFilter {
  return JSON.stringify(filter);
}

export function readFilter(stored: StoredFilter): EventFilter {
  return JSON.parse(stored) as EventFilter;
}
