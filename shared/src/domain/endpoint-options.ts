import type { StoredFilter } from './event-filter.js';
import type { SealedSecret } from './sealed-secret.js';

/** The options of an endpoint besides URL and subscriptions; absent or null if it has none. */
export interface EndpointOptions {
  readonly headers?: SealedHeaders | null;
  /** Names and values that only the workspace uses. As a list, because a name may be anything. */
  readonly metadata?: readonly MetadataEntry[] | null;
  /** Maximum number of POSTs that start in a second. */
  readonly ratePerSecond?: number | null;
  /** Only matching events are delivered. */
  readonly filter?: StoredFilter | null;
}

/** The static request headers of an endpoint. Only their names are readable. */
export interface SealedHeaders {
  /** In lower case, in the order in which they were sent. */
  readonly names: readonly string[];
  /** JSON of names and values. */
  readonly sealed: SealedSecret;
}

export interface MetadataEntry {
  readonly name: string;
  readonly value: string;
}

/** Static headers with their values, by lower-case name. */
export type PlainHeaders = Readonly<Record<string, string>>;

export function formatHeaders(headers: PlainHeaders): string {
  return JSON.stringify(headers);
}

/** @throws Error if the text is not a set of headers */
export function parseHeaders(text: string): PlainHeaders {
  if (!text.startsWith('{')) throw new Error('what was decrypted is no set of headers');
  return JSON.parse(text) as PlainHeaders;
}

/** Recorded in attempts instead of the value of a static header. */
export const HIDDEN_VALUE = '•••';
