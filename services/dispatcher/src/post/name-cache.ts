import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { LRUCache } from 'lru-cache';
import { LookupFailed, LookupNotSent } from './failure.js';

export interface Address {
  readonly address: string;
  readonly family: 4 | 6;
}

/** The answer of a lookup. */
export interface ResolvedName {
  /** At least one, in the order in which to try them. */
  readonly addresses: readonly Address[];
  /** How long they may be cached. */
  readonly ttlSeconds: number;
}

/** For whom a name is resolved. */
export interface LookupCaller {
  readonly workspaceId: string;
  readonly endpointId: string;
}

export type Resolution =
  | { readonly kind: 'found'; readonly addresses: readonly Address[] }
  /** A lookup was sent for this endpoint and failed. */
  | { readonly kind: 'failed'; readonly error: LookupFailed }
  /** No lookup was sent for this endpoint; the next one may be sent after this time. */
  | { readonly kind: 'postponed'; readonly forMs: number };

/** A lookup to send. */
export interface LookupRequest {
  readonly host: string;
  readonly workspaceId: string;
  /** Whether the previous lookup of this name remained without an answer. */
  readonly wasUnanswered: boolean;
  /** Whether name servers responded to a lookup of this name that they failed, and have not answered one since. */
  readonly hadServerFailure: boolean;
}

interface NameCacheParts {
  /** Rejects with LookupFailed, or with LookupNotSent. */
  readonly lookUp: (request: LookupRequest) => Promise<ResolvedName>;
  readonly monotonicMs: () => number;
  /** Called for each use of addresses whose time to live has passed. */
  readonly onStale?: () => void;
}

/** Answers are cached for at most this long, in milliseconds, however long their own time to live is. */
const MAX_TTL_MS = 30_000;
/** How long after their time to live addresses are used while lookups fail, in milliseconds. */
const STALE_MS = 3_600_000;
/** How long a caller with old addresses waits for new ones. */
const STALE_WAIT_MS = 200;
/** How long a failed lookup is cached. */
const FAILURE_TTL_MS = 3_000;
/** How long a name waits after a lookup that was not sent for lack of slots, or that does not count. */
const NOT_SENT_TTL_MS = 1_000;
const MAX_ENTRIES = 30_000;
/** How long a name is kept after its last use, in milliseconds: its addresses are too old by then. */
const UNUSED_MS = MAX_TTL_MS + STALE_MS;
/** How many unused names a new one removes: so they become fewer, and no call takes long. */
const REMOVED_AT_MOST = 2;

interface Running {
  readonly answer: Promise<readonly Address[]>;
  /** The endpoints for which it was sent. Each counts its failure once. */
  readonly endpoints: Set<string>;
}

interface Entry {
  readonly host: string;
  addresses: readonly Address[] | null;
  /** The time of its last use. Monotonic, as are the times below. */
  usedAt: number;
  freshUntil: number;
  failedUntil: number;
  unanswered: boolean;
  hadServerFailure: boolean;
  running: Running | null;
}

/**
 * Caches the results of lookups, failures included. While lookups fail, the last addresses are used for up to an hour;
 * a response that the name does not exist ends that.
 */
export function createNameCache({ lookUp, monotonicMs, onStale = () => {} }: NameCacheParts) {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  const removeUnused = (now: number) => {
    for (let removed = 0; removed < REMOVED_AT_MOST; removed += 1) {
      const leastRecent = entries.rvalues().next().value;
      if (leastRecent === undefined || now - leastRecent.usedAt < UNUSED_MS) return;
      entries.pop();
    }
  };
  const entryOf = (host: string, now: number): Entry => {
    const existing = entries.get(host);
    if (existing !== undefined) return existing;
    removeUnused(now);
    const entry: Entry = {
      host,
      addresses: null,
      usedAt: now,
      freshUntil: 0,
      failedUntil: 0,
      unanswered: false,
      hadServerFailure: false,
      running: null,
    };
    entries.set(host, entry);
    return entry;
  };
  const fallback = (entry: Entry): readonly Address[] | null => {
    if (entry.addresses === null || monotonicMs() >= entry.freshUntil + STALE_MS) return null;
    onStale();
    return entry.addresses;
  };
  const store = (entry: Entry, { addresses, ttlSeconds }: ResolvedName): readonly Address[] => {
    entry.running = null;
    entry.unanswered = false;
    entry.hadServerFailure = false;
    entry.addresses = addresses;
    entry.freshUntil = monotonicMs() + Math.min(ttlSeconds * 1_000, MAX_TTL_MS);
    return addresses;
  };
  const storeFailure = (entry: Entry, error: unknown): never => {
    entry.running = null;
    if (error instanceof LookupNotSent) entry.hadServerFailure ||= error.isServerFailure;
    if (error instanceof LookupFailed) {
      entry.hadServerFailure = error.isServerFailure || (entry.hadServerFailure && !error.isAnswered);
      entry.unanswered = !error.noSuchName;
      if (error.noSuchName) entry.addresses = null;
    }
    entry.failedUntil = monotonicMs() + (error instanceof LookupNotSent ? NOT_SENT_TTL_MS : FAILURE_TTL_MS);
    throw error;
  };
  const start = (entry: Entry, workspaceId: string): Running => {
    const { host, unanswered: wasUnanswered, hadServerFailure } = entry;
    const sent = lookUp({ host, workspaceId, wasUnanswered, hadServerFailure });
    const answer = sent.then(
      (resolved) => store(entry, resolved),
      (error: unknown) => storeFailure(entry, error),
    );
    answer.catch(() => {});
    entry.running = { answer, endpoints: new Set() };
    return entry.running;
  };
  const postponed = (entry: Entry): Resolution => ({
    kind: 'postponed',
    forMs: Math.max(entry.failedUntil - monotonicMs(), 1),
  });
  const join = async (entry: Entry, running: Running, endpointId: string): Promise<Resolution> => {
    const isFirst = !running.endpoints.has(endpointId);
    running.endpoints.add(endpointId);
    try {
      const addresses =
        (await withTimeout(running.answer, STALE_WAIT_MS, async () => null)) ??
        fallback(entry) ??
        (await running.answer);
      return { kind: 'found', addresses };
    } catch (error) {
      const addresses = fallback(entry);
      if (addresses !== null) return { kind: 'found', addresses };
      return isFirst && error instanceof LookupFailed ? { kind: 'failed', error } : postponed(entry);
    }
  };
  return {
    async resolve(host: string, { workspaceId, endpointId }: LookupCaller): Promise<Resolution> {
      const now = monotonicMs();
      const entry = entryOf(host, now);
      entry.usedAt = now;
      if (entry.addresses !== null && now < entry.freshUntil)
        return { kind: 'found', addresses: entry.addresses };
      if (entry.running === null && now < entry.failedUntil) {
        const addresses = fallback(entry);
        return addresses === null ? postponed(entry) : { kind: 'found', addresses };
      }
      return join(entry, entry.running ?? start(entry, workspaceId), endpointId);
    },
    /** The last addresses of a name; null if it is not known. */
    known: (host: string): readonly Address[] | null => entries.peek(host)?.addresses ?? null,
  };
}
