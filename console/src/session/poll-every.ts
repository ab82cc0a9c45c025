import { PostriderError } from '@postrider/client';

/** The state of a query. Times are in milliseconds since 1970; 0 if there was nothing. */
interface Polled<Data> {
  readonly state: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly dataUpdatedAt: number;
    readonly errorUpdatedAt: number;
  };
}

/** How often something is read again that cannot be read for a long time. */
const LONGEST_MS = 60_000;

/** The refetch interval of a query that is read again as long as its page is shown. */
export function pollEvery(everyMs: number) {
  return pollBy<unknown>(() => everyMs);
}

/**
 * The refetch interval of a query, by what it has read. After a refusal it is not read again automatically: the answer would be the
 * same. After other errors it is read again after as much time as has passed since it was read last, so that many pages do not
 * hinder a server that recovers.
 *
 * @param everyMs false to stop reading it
 */
export function pollBy<Data>(everyMs: (data: Data | undefined) => number | false) {
  return ({ state: { data, error, dataUpdatedAt, errorUpdatedAt } }: Polled<Data>): number | false => {
    const usualMs = everyMs(data);
    if (usualMs === false || error === null) return usualMs;
    return isRefusal(error) ? false : Math.max(usualMs, Math.min(errorUpdatedAt - dataUpdatedAt, LONGEST_MS));
  };
}

/** A limit of requests passes. */
function isRefusal(error: unknown): boolean {
  return error instanceof PostriderError && error.status < 500 && error.status !== 429;
}
