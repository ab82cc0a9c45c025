import { LRUCache } from 'lru-cache';
import { networkOf, siteOf } from './client-key.js';
import { WINDOW_S } from './counter.js';

/** Limits the lookups of unknown tokens for each client network, in this process. */
export interface TokenBrake {
  /**
   * Looks up a token. If all lookups of its network that are running could use up the limit, it waits for one of them.
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

/** The client's network has sent too many unknown tokens. */
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

/** The lookups for an IPv4 address, or for an IPv6 network. */
interface Network {
  /** Maximum number of unknown tokens in a window. */
  readonly limit: number;
  /** Unknown tokens in the current window. */
  unknown: number;
  /** The end of the window, which begins with its first unknown token. */
  endsAt: number;
  /** Lookups that may still turn out to be of unknown tokens. */
  running: number;
  /** Continues the lookups that wait, in their order. */
  readonly waiting: (() => void)[];
}

const MAX_NETWORKS = 10_000;
const MAX_KNOWN_TOKENS = 10_000;
/** How many times the limit of a /64 network all those of a /48 have together, which one client may use in turn. */
const SITE_FACTOR = 10;

/**
 * Counts the unknown tokens of a network in windows of a minute. At the limit only tokens that were recently found are
 * looked up for it, so that clients behind the same address keep working. Lookups that are running are not counted as
 * unknown, since most tokens of a new process are valid ones that it has not found yet.
 */
export function createTokenBrake({ limit, monotonicMs }: TokenBrakeParts): TokenBrake {
  const networks = new LRUCache<string, Network>({ max: MAX_NETWORKS });
  const known = new LRUCache<string, true>({ max: MAX_KNOWN_TOKENS });

  const networkNamed = (name: string, ofNetwork: number): Network => {
    const found = networks.get(name);
    if (found !== undefined) return found;
    const created = {
      limit: ofNetwork,
      unknown: 0,
      endsAt: Number.POSITIVE_INFINITY,
      running: 0,
      waiting: [],
    };
    networks.set(name, created);
    return created;
  };

  /** Waits until the token may be looked up, and counts it as running at once. */
  const begin = async (network: Network, hash: string): Promise<void> => {
    while (!known.has(hash)) {
      if (network.endsAt <= monotonicMs())
        Object.assign(network, { unknown: 0, endsAt: Number.POSITIVE_INFINITY });
      if (network.unknown >= network.limit) throw new TooManyUnknownTokens(network.endsAt - monotonicMs());
      if (network.unknown + network.running < network.limit) break;
      await new Promise<void>((resolve) => network.waiting.push(resolve));
    }
    network.running += 1;
  };

  const count = (network: Network) => {
    if (network.unknown === 0) network.endsAt = monotonicMs() + WINDOW_S * 1_000;
    network.unknown += 1;
  };

  const run = async <Result>(network: Network, work: Lookup<Result>): Promise<Result> => {
    try {
      const result = await work.run();
      if (work.isUnknown(result)) count(network);
      return result;
    } finally {
      network.running -= 1;
    }
  };

  const lookUpIn = async <Result>(network: Network, hash: string, work: Lookup<Result>): Promise<Result> => {
    try {
      await begin(network, hash);
      return await run(network, work);
    } finally {
      // Whoever ends, refused or not, continues the next one, so that no one waits while nothing is running.
      network.waiting.shift()?.();
    }
  };

  /** Remembers whether the token is known. One that is no longer known is counted the next time. */
  const remembering = <Result>(hash: string, { run, isUnknown }: Lookup<Result>): Lookup<Result> => ({
    isUnknown,
    run: async () => {
      const result = await run();
      if (isUnknown(result)) known.delete(hash);
      else known.set(hash, true);
      return result;
    },
  });

  return {
    async lookUp({ address, hash }, work) {
      if (limit === 0) return work.run();
      const remembered = remembering(hash, work);
      if (known.has(hash)) return remembered.run();
      const network = networkNamed(networkOf(address), limit);
      const siteName = siteOf(address);
      if (siteName === null) return lookUpIn(network, hash, remembered);
      const site = networkNamed(siteName, SITE_FACTOR * limit);
      // The site comes second, so that lookups that wait for their own network take none of its room.
      return lookUpIn(network, hash, { ...remembered, run: () => lookUpIn(site, hash, remembered) });
    },
  };
}
