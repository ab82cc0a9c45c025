import type { Clock } from '@postrider/shared/ports/clock';

/** A value and the time of its read. */
export interface Dated<T> {
  readonly value: T;
  readonly asOf: Date;
}

interface CacheOptions {
  readonly clock: Clock;
  /** How old a cached value may be, in milliseconds. */
  readonly maxAgeMs: number;
  /** A value of this age is refreshed in the background while it is still returned. */
  readonly refreshAfterMs: number;
}

/**
 * Caches the results of expensive reads. Concurrent callers share one read, and a caller that asks often enough only waits
 * for the first one. Failed reads are not cached.
 */
export function staleWhileRevalidate<T>({ clock, maxAgeMs, refreshAfterMs }: CacheOptions) {
  /** In the order of their reads, oldest first. */
  const reads = new Map<string, Dated<Promise<T>>>();
  const refreshing = new Set<string>();

  const ageOf = ({ asOf }: Dated<unknown>, now: Date) => now.getTime() - asOf.getTime();
  const removeExpired = (now: Date) => {
    for (const [key, one] of reads) {
      if (ageOf(one, now) <= maxAgeMs) return;
      reads.delete(key);
    }
  };
  const store = (key: string, fresh: Dated<Promise<T>>) => {
    reads.delete(key);
    reads.set(key, fresh);
  };
  const refresh = async (key: string, fresh: Dated<Promise<T>>) => {
    refreshing.add(key);
    try {
      await fresh.value;
      store(key, fresh);
    } catch {
      // The cached value is returned until it is too old; then the next caller gets the error.
    } finally {
      refreshing.delete(key);
    }
  };

  return async (key: string, read: (now: Date) => Promise<T>): Promise<Dated<T>> => {
    const now = clock.now();
    removeExpired(now);
    const current = reads.get(key);
    if (current !== undefined) {
      if (ageOf(current, now) > refreshAfterMs && !refreshing.has(key)) {
        void refresh(key, { value: read(now), asOf: now });
      }
      return { value: await current.value, asOf: current.asOf };
    }
    const fresh = { value: read(now), asOf: now };
    store(key, fresh);
    try {
      return { value: await fresh.value, asOf: now };
    } catch (error) {
      if (reads.get(key) === fresh) reads.delete(key);
      throw error;
    }
  };
}
