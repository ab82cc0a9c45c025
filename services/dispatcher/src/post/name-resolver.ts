import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import pLimit from 'p-limit';
import { createDnsQuery } from './dns-query.js';
import { LookupFailed } from './failure.js';
import { createHostsFile } from './hosts-file.js';
import { type Address, createNameCache, type ResolvedName } from './name-cache.js';

/** Concurrent look-ups. Further ones wait, and are not sent if their deadline passes meanwhile. */
const MAX_OUTSTANDING = 256;
/** How long entries of the hosts file are cached. */
const HOSTS_TTL_SECONDS = 5;

export interface NameOptions {
  /** Milliseconds for one look-up, including its wait in the queue. */
  readonly deadlineMs: number;
  readonly hostsPath: string;
  /** `address:port`; the system's by default. */
  readonly servers?: readonly string[];
}

export interface NameResolver {
  /** The addresses of a name in the order in which to try them, at least one. Rejects with LookupFailed. */
  readonly resolve: (host: string) => Promise<readonly Address[]>;
  /** Cancels outstanding look-ups. */
  readonly close: () => void;
}

/**
 * Resolves names: the hosts file first, then DNS for both address families, with a deadline, a short cache and a limit of
 * concurrent look-ups. `dns.lookup` would block one of the four threads of the pool per name.
 */
export function createNameResolver(options: NameOptions & { monotonicMs: () => number }): NameResolver {
  const { deadlineMs, monotonicMs } = options;
  const hosts = createHostsFile(options.hostsPath);
  const dns = createDnsQuery(options.servers);
  const limitLookUps = pLimit(MAX_OUTSTANDING);

  const lookUp = async (host: string): Promise<ResolvedName> => {
    const deadline = monotonicMs() + deadlineMs;
    const local = await hosts(host);
    if (local.length > 0) return { addresses: local, ttlSeconds: HOSTS_TTL_SECONDS };
    return limitLookUps(() => (monotonicMs() < deadline ? dns.query(host) : tooLate(host)));
  };

  return {
    resolve: createNameCache(
      (host) => withTimeout(lookUp(host), deadlineMs, () => tooLate(host)),
      monotonicMs,
    ),
    close: dns.cancel,
  };
}

function tooLate(host: string): Promise<never> {
  return Promise.reject(new LookupFailed(`${host}: no response in time`));
}
