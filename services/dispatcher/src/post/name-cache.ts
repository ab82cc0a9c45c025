import { LRUCache } from 'lru-cache';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The answer of a look-up. */
export interface ResolvedName {
  /** At least one, in the order in which to try them. */
  readonly addresses: readonly Address[];
  /** How long they may be cached. */
  readonly ttlSeconds: number;
}

/** Answers are cached no longer than this, however long their own time to live is. */
const MAX_TTL_MS = 30_000;
/** How long a failed look-up is cached. */
const FAILURE_TTL_MS = 3_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly answer: Promise<readonly Address[]>;
  /** Monotonic. Infinite while the look-up runs, so that concurrent callers share it. */
  expiresAt: number;
}

/** Caches the results of look-ups, failures included. Rejects as `lookUp` does. */
export function createNameCache(lookUp: (host: string) => Promise<ResolvedName>, monotonicMs: () => number) {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  const start = (host: string): Entry => {
    const resolved = lookUp(host);
    const entry = {
      answer: resolved.then(({ addresses }) => addresses),
      expiresAt: Number.POSITIVE_INFINITY,
    };
    const expireAfter = (ms: number) => {
      entry.expiresAt = monotonicMs() + ms;
    };
    resolved.then(
      ({ ttlSeconds }) => expireAfter(Math.min(ttlSeconds * 1_000, MAX_TTL_MS)),
      () => expireAfter(FAILURE_TTL_MS),
    );
    return entry;
  };
  return (host: string): Promise<readonly Address[]> => {
    const cached = entries.get(host);
    if (cached !== undefined && cached.expiresAt > monotonicMs()) return cached.answer;
    const entry = start(host);
    entries.set(host, entry);
    return entry.answer;
  };
}
