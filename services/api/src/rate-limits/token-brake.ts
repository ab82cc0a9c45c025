import { LRUCache } from 'lru-cache';
import { WINDOW_S } from './counter.js';

/** Limits the look-ups of unknown tokens for each client address, in this process. */
export interface TokenBrake {
  /** Counts a look-up as one of an unknown token until its `found` is called. */
  start(address: string, hash: string): LookUp;
}

/** One look-up of a token. */
export interface LookUp {
  /** Milliseconds until the address may look up again; null if it may now. */
  readonly refusedForMs: number | null;
  /** The token exists. */
  found(): void;
}

interface TokenBrakeParts {
  /** Look-ups of unknown tokens per minute and address; 0: no limit. */
  readonly limit: number;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

interface Failures {
  count: number;
  readonly endsAt: number;
}

const ADMITTED: LookUp = { refusedForMs: null, found: () => {} };
const MAX_ADDRESSES = 10_000;
const MAX_KNOWN_TOKENS = 10_000;

/**
 * Counts the unknown tokens of an address in windows of a minute. At the limit only tokens that were recently found are
 * looked up for it, so that clients behind the same address keep working.
 */
export function createTokenBrake({ limit, now }: TokenBrakeParts): TokenBrake {
  const failures = new LRUCache<string, Failures>({ max: MAX_ADDRESSES });
  const known = new LRUCache<string, true>({ max: MAX_KNOWN_TOKENS });

  const current = (address: string): Failures | null => {
    const found = failures.get(address);
    return found === undefined || found.endsAt <= now() ? null : found;
  };

  /** A look-up that counts: it was one of a token that was not known yet. */
  const counted = (hash: string, failed: Failures): LookUp => {
    failed.count += 1;
    return {
      refusedForMs: null,
      found() {
        known.set(hash, true);
        failed.count -= 1;
      },
    };
  };

  return {
    start(address, hash) {
      if (limit === 0 || known.has(hash)) return ADMITTED;
      const failed = current(address) ?? { count: 0, endsAt: now() + WINDOW_S * 1_000 };
      if (failed.count >= limit) return { ...ADMITTED, refusedForMs: failed.endsAt - now() };
      failures.set(address, failed);
      return counted(hash, failed);
    },
  };
}
