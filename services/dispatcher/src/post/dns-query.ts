import { type RecordWithTtl, Resolver } from 'node:dns';
import { LookupFailed } from './failure.js';
import type { Address, ResolvedName } from './name-cache.js';

/** Time-out of one try: a lost datagram is resent well within the deadline of a lookup. */
const TRY_MS = 600;
const TRIES = 8;
/** A response that there is no such name or no such record. Other errors are failures of the lookup. */
const NEGATIVE_RESPONSES = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
/** Errors without a response from a name server. */
const NO_RESPONSE = new Set(['ETIMEOUT', 'ECONNREFUSED', 'ECANCELLED', 'EDESTRUCTION']);
/** How long to wait for IPv6 addresses beside those of IPv4, in milliseconds: some servers never respond for them. */
const IPV6_GRACE_MS = 50;
/**
 * The same for IPv4 addresses: long enough for two tries after a lost one. Most container networks have only IPv4, so that the
 * receiver would not be reached without them.
 */
const IPV4_GRACE_MS = 2 * TRY_MS + 300;
/** How long addresses are cached without an answer about those of IPv4. */
const WITHOUT_IPV4_TTL_SECONDS = 1;
/**
 * Maximum number of addresses kept of each family: as many as a connection tries. A response may have thousands, and those of many
 * names are cached.
 */
const MAX_ADDRESSES_OF_FAMILY = 8;

export interface DnsQuery {
  /** Queries both address families. Rejects with LookupFailed if neither has an address. */
  readonly query: (host: string) => Promise<ResolvedName>;
  /** Cancels outstanding queries. */
  readonly cancel: () => void;
}

/** @param servers `address:port`; the system's by default */
export function createDnsQuery(servers?: readonly string[]): DnsQuery {
  const resolver = new Resolver({ timeout: TRY_MS, maxTimeout: TRY_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  return {
    query: (host) => bothFamilies(resolver, host),
    cancel: () => resolver.cancel(),
  };
}

type Callback = (error: NodeJS.ErrnoException | null, records: RecordWithTtl[]) => void;

function bothFamilies(resolver: Resolver, host: string): Promise<ResolvedName> {
  return new Promise((resolve, reject) => {
    let v4: readonly RecordWithTtl[] = [];
    let v6: readonly RecordWithTtl[] = [];
    let outstanding = 2;
    let grace: NodeJS.Timeout | undefined;
    let isV4Known = false;
    const problems: string[] = [];

    const finish = () => {
      clearTimeout(grace);
      if (v4.length + v6.length === 0) return reject(failureOf(host, problems));
      const found = mergeRecords(v4, v6);
      resolve(
        isV4Known ? found : { ...found, ttlSeconds: Math.min(found.ttlSeconds, WITHOUT_IPV4_TTL_SECONDS) },
      );
    };
    const receive =
      (
        store: (records: readonly RecordWithTtl[], problem: string | null) => void,
        graceForOtherMs: number,
      ): Callback =>
      (error, records) => {
        outstanding -= 1;
        const problem = error && (error.code ?? error.message);
        if (problem !== null) problems.push(problem);
        store(error ? [] : records.slice(0, MAX_ADDRESSES_OF_FAMILY), problem);
        if (outstanding === 0) finish();
        else if (!error) grace = setTimeout(finish, graceForOtherMs);
      };

    resolver.resolve4(
      host,
      { ttl: true },
      receive((records, problem) => {
        v4 = records;
        isV4Known = problem === null || NEGATIVE_RESPONSES.has(problem);
      }, IPV6_GRACE_MS),
    );
    resolver.resolve6(
      host,
      { ttl: true },
      receive((records) => {
        v6 = records;
      }, IPV4_GRACE_MS),
    );
  });
}

function failureOf(host: string, problems: readonly string[]): LookupFailed {
  const noSuchName = problems.every((problem) => NEGATIVE_RESPONSES.has(problem));
  const failure = problems.find((problem) => !NEGATIVE_RESPONSES.has(problem));
  const isAnswered = problems.some((problem) => NEGATIVE_RESPONSES.has(problem));
  const isServerFailure = !isAnswered && problems.some((problem) => !NO_RESPONSE.has(problem));
  return new LookupFailed(`${host}: ${failure ?? problems[0] ?? 'no address'}`, {
    noSuchName,
    isAnswered,
    isServerFailure,
    isUncontacted: problems.every((problem) => problem === 'ECONNREFUSED'),
  });
}

/** IPv4 first, because every container network routes it. */
function mergeRecords(v4: readonly RecordWithTtl[], v6: readonly RecordWithTtl[]): ResolvedName {
  const records = [...v4, ...v6];
  const addresses: Address[] = [
    ...v4.map(({ address }) => ({ address, family: 4 as const })),
    ...v6.map(({ address }) => ({ address, family: 6 as const })),
  ];
  return { addresses, ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)) };
}
