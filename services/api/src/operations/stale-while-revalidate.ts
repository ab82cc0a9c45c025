import type { Clock } from '@postrider/shared/ports/clock';

/** A value and the time when its read began. */
export interface Dated<T> {
  readonly value: T;
  readonly asOf: Date;
}

interface Stored<T> extends Dated<T> {
  /** The time from which its age counts, in milliseconds. */
  readonly agesFrom: number;
}

interface CacheOptions {
  readonly clock: Clock;
  /** How old a cached value may be, in milliseconds since its read began. */
  readonly maxAgeMs: number;
  /** A value of this age is refreshed in the background while it is still returned. */
  readonly refreshAfterMs: number;
}

/**
 * Caches the results of expensive reads. One read runs at a time for each key, however long it takes, and all callers that
 * find no value wait for it. A caller that asks often enough only waits for the first one. Failed reads are not cached.
 */
export function staleWhileRevalidate<T>({ clock, maxAgeMs, refreshAfterMs }: CacheOptions) {
  /** Ordered by the end of their reads, oldest first. */
  const values = new Map<string, Stored<T>>();
  const reads = new Map<string, Promise<Dated<T>>>();

  const ageOf = ({ agesFrom }: Stored<T>, now: Date) => now.getTime() - agesFrom;
  const removeExpired = (now: Date) => {
    for (const [key, one] of values) {
      if (ageOf(one, now) <= maxAgeMs) return;
      values.delete(key);
    }
  };
  const store = (key: string, value: T, asOf: Date): Dated<T> => {
    const [startedAt, endedAt] = [asOf.getTime(), clock.now().getTime()];
    // A value whose read took longer is kept all the same: otherwise every caller would wait for as long.
    const agesFrom = endedAt - startedAt > maxAgeMs ? endedAt : startedAt;
    values.delete(key);
    values.set(key, { value, asOf, agesFrom });
    return { value, asOf };
  };
  const start = (key: string, read: (now: Date) => Promise<T>, now: Date) => {
    const running = read(now)
      .then((value) => store(key, value, now))
      .finally(() => reads.delete(key));
    reads.set(key, running);
    return running;
  };

  return async (key: string, read: (now: Date) => Promise<T>): Promise<Dated<T>> => {
    const now = clock.now();
    removeExpired(now);
    const current = values.get(key);
    // A value may expire before one that was stored earlier.
    if (current === undefined || ageOf(current, now) > maxAgeMs)
      return reads.get(key) ?? start(key, read, now);
    // If the refresh fails, the value is returned until it is too old; then the next caller gets the error.
    if (ageOf(current, now) > refreshAfterMs && !reads.has(key)) start(key, read, now).catch(() => undefined);
    return { value: current.value, asOf: current.asOf };
  };
}
