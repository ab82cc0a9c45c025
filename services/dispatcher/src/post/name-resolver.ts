import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import pLimit from 'p-limit';
import { createDnsQuery } from './dns-query.js';
import { LookupFailed } from './failure.js';
import { createHostsFile } from './hosts-file.js';
import { type Address, createNameCache, type ResolvedName } from './name-cache.js';

/** Outstanding look-ups; more wait, and those whose deadline passes meanwhile are never asked. */
const MAX_OUTSTANDING = 256;
/** An entry of the hosts file is looked at again after this. */
const HOSTS_TTL_SECONDS = 5;

export interface NameOptions {
  /** Milliseconds for one look-up, waiting for its turn included. */
  readonly deadlineMs: number;
  readonly hostsPath: string;
  /** `address:port`; without them those of the system. */
  readonly servers?: readonly string[];
}

export interface NameResolver {
  /** The addresses of a name in the order in which to try them, at least one. Rejects with LookupFailed. */
  readonly resolve: (host: string) => Promise<readonly Address[]>;
  /** Ends what is outstanding. */
  readonly close: () => void;
}

/**
 * Turns names into addresses: the hosts file first, then DNS for both families, with a deadline, a short memory and
 * a bound on what is outstanding. Not `dns.lookup`: that one blocks a thread per name, and there are four for all.
 */
export function createNameResolver(options: NameOptions & { monotonicMs: () => number }): NameResolver {
  const { deadlineMs, monotonicMs } = options;
  const hosts = createHostsFile(options.hostsPath);
  const dns = createDnsQuery(options.servers);
  const inTurn = pLimit(MAX_OUTSTANDING);

  const lookUp = async (host: string): Promise<ResolvedName> => {
    const deadline = monotonicMs() + deadlineMs;
    const local = await hosts(host);
    if (local.length > 0) return { addresses: local, ttlSeconds: HOSTS_TTL_SECONDS };
    return inTurn(() => (monotonicMs() < deadline ? dns.query(host) : tooLate(host)));
  };

  return {
    resolve: createNameCache({
      lookUp: (host) => withTimeout(lookUp(host), deadlineMs, () => tooLate(host)),
      monotonicMs,
    }),
    close: dns.cancel,
  };
}

function tooLate(host: string): Promise<never> {
  return Promise.reject(new LookupFailed(`${host}: no answer in time`));
}
