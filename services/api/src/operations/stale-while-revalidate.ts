import type { Clock } from '@postrider/shared/ports/clock';

/** A value and the moment that it was read. */
export interface Dated<T> {
  readonly value: T;
  readonly asOf: Date;
}

interface Memory {
  readonly clock: Clock;
  /** How old a cached value may be, in milliseconds. */
  readonly maxAgeMs: number;
  /** From this age on a value that is asked for is read anew, while it is still given. */
  readonly renewAfterMs: number;
}

/**
 * Remembers costly reads for a while. Callers that come at once share one read, and whoever asks often enough waits
 * for the first one alone; a read that fails is not cached.
 */
export function staleWhileRevalidate<T>({ clock, maxAgeMs, renewAfterMs }: Memory) {
  /** The oldest first. */
  const reads = new Map<string, Dated<Promise<T>>>();
  const renewing = new Set<string>();

  const ageOf = ({ asOf }: Dated<unknown>, now: Date) => now.getTime() - asOf.getTime();
  const forgetStale = (now: Date) => {
    for (const [key, one] of reads) {
      if (ageOf(one, now) <= maxAgeMs) return;
      reads.delete(key);
    }
  };
  const keep = (key: string, fresh: Dated<Promise<T>>) => {
    reads.delete(key);
    reads.set(key, fresh);
  };
  const renew = async (key: string, fresh: Dated<Promise<T>>) => {
    renewing.add(key);
    try {
      await fresh.value;
      keep(key, fresh);
    } catch {
      // The value that is there serves until it is too old; then whoever waits for a read learns why it fails.
    } finally {
      renewing.delete(key);
    }
  };

  return async (key: string, read: (now: Date) => Promise<T>): Promise<Dated<T>> => {
    const now = clock.now();
    forgetStale(now);
    const current = reads.get(key);
    if (current !== undefined) {
      if (ageOf(current, now) > renewAfterMs && !renewing.has(key)) {
        void renew(key, { value: read(now), asOf: now });
      }
      return { value: await current.value, asOf: current.asOf };
    }
    const fresh = { value: read(now), asOf: now };
    keep(key, fresh);
    try {
      return { value: await fresh.value, asOf: now };
    } catch (error) {
      if (reads.get(key) === fresh) reads.delete(key);
      throw error;
    }
  };
}
