import type { Clock } from '@postrider/shared/ports/clock';

/** A value and the moment that it was read. */
export interface Dated<T> {
  readonly value: T;
  readonly asOf: Date;
}

/**
 * Remembers costly reads for a while. Callers that come at once share one read; a read that fails is not remembered.
 *
 * @param maxAgeMs how old a remembered value may be
 */
export function remembered<T>({ clock, maxAgeMs }: { clock: Clock; maxAgeMs: number }) {
  const reads = new Map<string, Dated<Promise<T>>>();

  const forgetStale = (now: Date) => {
    for (const [key, { asOf }] of reads) {
      if (now.getTime() - asOf.getTime() > maxAgeMs) reads.delete(key);
    }
  };

  return async (key: string, read: (now: Date) => Promise<T>): Promise<Dated<T>> => {
    const now = clock.now();
    forgetStale(now);
    let current = reads.get(key);
    if (current === undefined) {
      const fresh = { value: read(now), asOf: now };
      fresh.value.catch(() => reads.delete(key));
      reads.set(key, fresh);
      current = fresh;
    }
    return { value: await current.value, asOf: current.asOf };
  };
}
