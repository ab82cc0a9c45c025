import { LRUCache } from 'lru-cache';
import { networkOf } from './client-key.js';
import { WINDOW_S } from './counter.js';

/** Limits the lookups of unknown tokens for each client address, in this process. */
export interface TokenBrake {
  /**
   * Looks up a token. If all lookups of its address that are running could use up the limit, it waits for one of them.
   *
   * @throws TooManyUnknownTokens instead of looking it up
   */
  lookUp<Result>(token: TokenOfAddress, work: Lookup<Result>): Promise<Result>;
}

export interface TokenOfAddress {
  readonly address: string;
  readonly hash: string;
}

export interface Lookup<Result> {
  readonly run: () => Promise<Result>;
  /** Whether the token turned out to be unknown. A lookup that fails counts as neither known nor unknown. */
  readonly isUnknown: (result: Result) => boolean;
}

/** The client's address has sent too many unknown tokens. */
export class TooManyUnknownTokens extends Error {
  constructor(readonly retryAfterMs: number) {
    super('too many unknown tokens from this address');
  }
}

interface TokenBrakeParts {
  /** Lookups of unknown tokens per minute and address; 0: no limit. */
  readonly limit: number;
  readonly monotonicMs: () => number;
}

interface Address {
  /** Unknown tokens in the current window. */
  unknown: number;
  /** The end of the window, which begins with its first unknown token. */
  endsAt: number;
  /** Lookups that may still turn out to be of unknown tokens. */
  running: number;
  /** Continues the lookups that wait, in their order. */
  readonly waiting: (() => void)[];
}

const MAX_ADDRESSES = 10_000;
const MAX_KNOWN_TOKENS = 10_000;

/**
 * Counts the unknown tokens of an address in windows of a minute. At the limit only tokens that were recently found are
 * looked up for it, so that clients behind the same address keep working. Lookups that are running are not counted as
 * unknown, since most tokens of a new process are valid ones that it has not found yet.
 */
export function createTokenBrake({ limit, monotonicMs }: TokenBrakeParts): TokenBrake {
  const addresses = new LRUCache<string, Address>({ max: MAX_ADDRESSES });
  const known = new LRUCache<string, true>({ max: MAX_KNOWN_TOKENS });

  /** Addresses of one IPv6 network share theirs, as in the rate limits. */
  const addressOf = (name: string): Address => {
    const found = addresses.get(name);
    if (found !== undefined) return found;
    const created = { unknown: 0, endsAt: Number.POSITIVE_INFINITY, running: 0, waiting: [] };
    addresses.set(name, created);
    return created;
  };

  /** Waits until the token may be looked up, and counts it as running at once. */
  const begin = async (address: Address, hash: string): Promise<void> => {
    while (!known.has(hash)) {
      if (address.endsAt <= monotonicMs())
        Object.assign(address, { unknown: 0, endsAt: Number.POSITIVE_INFINITY });
      if (address.unknown >= limit) throw new TooManyUnknownTokens(address.endsAt - monotonicMs());
      if (address.unknown + address.running < limit) break;
      await new Promise<void>((resolve) => address.waiting.push(resolve));
    }
    address.running += 1;
  };

  const count = (address: Address) => {
    if (address.unknown === 0) address.endsAt = monotonicMs() + WINDOW_S * 1_000;
    address.unknown += 1;
  };

  const run = async <Result>(address: Address, hash: string, work: Lookup<Result>): Promise<Result> => {
    try {
      const result = await work.run();
      if (work.isUnknown(result)) count(address);
      else known.set(hash, true);
      return result;
    } finally {
      address.running -= 1;
    }
  };

  return {
    async lookUp(token, work) {
      if (limit === 0 || known.has(token.hash)) return work.run();
      const address = addressOf(networkOf(token.address));
      try {
        await begin(address, token.hash);
        return await run(address, token.hash, work);
      } finally {
        // Whoever ends, refused or not, continues the next one, so that no one waits while nothing is running.
        address.waiting.shift()?.();
      }
    },
  };
}
