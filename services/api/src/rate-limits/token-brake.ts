import { LRUCache } from 'lru-cache';
import { WINDOW_S } from './counter.js';

/** Limits the look-ups of unknown tokens for each client address, in this process. */
export interface TokenBrake {
  /**
   * Counts a look-up as one of an unknown token until `found`.
   *
   * @returns milliseconds until the address may look up again; null if it may now
   */
  start(address: string, hash: string): number | null;
  /** The token of a look-up that was started exists. */
  found(address: string, hash: string): void;
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

  return {
    start(address, hash) {
      if (limit === 0 || known.has(hash)) return null;
      const failed = current(address);
      if (failed === null) {
        failures.set(address, { count: 1, endsAt: now() + WINDOW_S * 1_000 });
        return null;
      }
      if (failed.count >= limit) return failed.endsAt - now();
      failed.count += 1;
      return null;
    },
    found(address, hash) {
      if (limit === 0 || known.has(hash)) return;
      known.set(hash, true);
      const failed = current(address);
      if (failed !== null) failed.count -= 1;
    },
  };
}
