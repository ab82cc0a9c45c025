import { createFairQueue } from '@postrider/shared/runtime/fair-queue';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import type { LookupResult } from '../ports/poster.js';
import { createDnsQuery } from './dns-query.js';
import { LookupFailed, LookupNotSent } from './failure.js';
import { createHostsFile } from './hosts-file.js';
import {
  type Address,
  createNameCache,
  type LookupCaller,
  type LookupRequest,
  type Resolution,
  type ResolvedName,
} from './name-cache.js';
import { createNameServerHealth } from './name-server-health.js';

/** A lookup that takes longer frees its slot, so that names without an answer do not delay others. */
const PROMPT_MS = 200;
const PROMPT = { total: 256, perKey: 64, holdMs: PROMPT_MS };
/** Slots for names whose last lookup remained without an answer. */
const UNANSWERED = { total: 64, perKey: 16 };
/**
 * If a deadline is noticed so much later, in milliseconds, the event loop was blocked, and the resolver may have resent queries
 * instead of reading their responses. Such a lookup shows nothing.
 */
const BLOCKED_MS = 200;
/** How long entries of the hosts file are cached. */
const HOSTS_TTL_SECONDS = 5;

interface NameOptions {
  /** Milliseconds for one lookup, including its wait for a slot. */
  readonly deadlineMs: number;
  readonly hostsPath: string;
  /** `address:port`; the system's by default. */
  readonly servers?: readonly string[];
  /** Counts lookups, and uses of stale addresses. */
  readonly onLookup?: (result: LookupResult) => void;
}

export interface NameResolver {
  resolve(host: string, caller: LookupCaller): Promise<Resolution>;
  /** The last addresses of a name; null if it is not known. */
  known(host: string): readonly Address[] | null;
  /** Cancels outstanding lookups. */
  close(): void;
}

/**
 * Resolves names: the hosts file first, then DNS for both address families, with a deadline, a cache and a share of the
 * concurrent lookups for each workspace. `dns.lookup` would block one of the four threads of the pool per name.
 */
export function createNameResolver(options: NameOptions & { monotonicMs: () => number }): NameResolver {
  const { deadlineMs, monotonicMs, onLookup = () => {} } = options;
  const hosts = createHostsFile(options.hostsPath);
  const dns = createDnsQuery(options.servers);
  const prompt = createFairQueue(PROMPT);
  const unanswered = createFairQueue({ ...UNANSWERED, holdMs: deadlineMs });

  const queryInTurn = ({ host, workspaceId, wasUnanswered }: LookupRequest): Promise<ResolvedName> => {
    const deadline = monotonicMs() + deadlineMs;
    const queue = wasUnanswered ? unanswered : prompt;
    let isSent = false;
    const answer = queue.run(workspaceId, () => {
      isSent = monotonicMs() < deadline;
      return isSent ? dns.query(host) : Promise.reject(new LookupNotSent(host));
    });
    return withTimeout(answer, deadlineMs, () => {
      const couldRespond = isSent && monotonicMs() - deadline < BLOCKED_MS;
      return Promise.reject(
        couldRespond ? new LookupFailed(`${host}: no response in time`) : new LookupNotSent(host),
      );
    });
  };
  const health = createNameServerHealth();
  const lookUp = async (request: LookupRequest): Promise<ResolvedName> => {
    const local = await hosts(request.host);
    if (local.length > 0) return { addresses: local, ttlSeconds: HOSTS_TTL_SECONDS };
    return health.watch(request, queryInTurn(request));
  };
  const counted = (request: LookupRequest): Promise<ResolvedName> => {
    const result = lookUp(request);
    result.then(
      () => onLookup('found'),
      (error: unknown) => onLookup(resultOf(error)),
    );
    return result;
  };
  const cache = createNameCache({ lookUp: counted, monotonicMs, onStale: () => onLookup('stale') });
  return { ...cache, close: dns.cancel };
}

function resultOf(error: unknown): LookupResult {
  if (error instanceof LookupFailed) return error.noSuchName ? 'no_such_name' : 'failed';
  return error instanceof LookupNotSent ? 'not_sent' : 'failed';
}
