import type { Clock } from '@postrider/shared/ports/clock';

/** A value and the time when its read began. */
export interface Dated<T> {
  readonly value: T;
  readonly asOf: Date;
}

interface Stored<T> extends Dated<T> {
  /** When its read ended, from which its age counts. */
  readonly storedAt: Date;
}

interface CacheOptions {
  readonly clock: Clock;
  /** How old a cached value may be, in milliseconds. */
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

  const ageOf = ({ storedAt }: Stored<T>, now: Date) => now.getTime() - storedAt.getTime();
  const removeExpired = (now: Date) => {
    for (const [key, one] of values) {
      if (ageOf(one, now) <= maxAgeMs) return;
      values.delete(key);
    }
  };
  const store = (key: string, value: T, asOf: Date): Dated<T> => {
    values.delete(key);
    values.set(key, { value, asOf, storedAt: clock.now() });
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
    if (current === undefined) return reads.get(key) ?? start(key, read, now);
    // If the refresh fails, the value is returned until it is too old; then the next caller gets the error.
    if (ageOf(current, now) > refreshAfterMs && !reads.has(key)) start(key, read, now).catch(() => undefined);
    return { value: current.value, asOf: current.asOf };
  };
}
