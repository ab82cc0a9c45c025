import { isIP } from 'node:net';
import { bareHost, type Egress, withoutBrackets } from '@postrider/shared/domain/webhook-url';
import { withoutEmptyUserinfo } from '@postrider/shared/domain/webhook-url-form';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { LRUCache } from 'lru-cache';
import type { Reach } from '../ports/guard.js';
import type { LookupResult, Poster, PostPhases, PostRequest } from '../ports/poster.js';
import { createConnections } from './connections.js';
import { createEgressConnector } from './egress-connector.js';
import { outcomeOf, type ProxyFailure } from './failure.js';
import type { Resolution } from './name-cache.js';
import { createNameResolver } from './name-resolver.js';
import type { Moments } from './response-handler.js';
import { createSend, type Sent, type Target } from './send.js';

export interface ClosablePoster extends Poster {
  /** Drops all connections. A POST in flight ends as `network`. */
  close(): Promise<void>;
  /** Whether a server of the origin can be connected to within two seconds. Sends no request. */
  reaches(origin: string): Promise<boolean>;
}

export interface PosterOptions {
  readonly egress: Egress;
  /** Milliseconds for lookup, connect and headers together. */
  readonly deadlineMs: number;
  /** Milliseconds for the body, from the headers on. */
  readonly bodyDeadlineMs: number;
  readonly bodyLimitBytes: number;
  readonly monotonicMs?: () => number;
  /** Milliseconds for one name lookup; a slower one is a `dns` failure. */
  readonly lookupDeadlineMs?: number;
  /** Name servers, `address:port`; the system's by default. */
  readonly nameServers?: readonly string[];
  readonly hostsPath?: string;
  /** Forward proxy for all connections; none by default. */
  readonly proxy?: URL | null;
  /** Called for each tunnel that the proxy did not open. */
  readonly onProxyFailure?: (failure: ProxyFailure) => void;
  /** Trusted certificates, PEM; the system's by default. */
  readonly ca?: string;
  readonly onLookup?: (result: LookupResult) => void;
  /** Called for each request that is sent again because a reused connection had been closed by the receiver. */
  readonly onResent?: () => void;
}

/** Longer than a name server takes to restart, and at most half of a POST's deadline. */
const LOOKUP_DEADLINE_MS = 5_000;
const MAX_IDLE_CONNECTIONS = 4_096;
/** Shorter than the time-out of common servers, since a POST on a connection that is being closed is lost. */
const KEEP_ALIVE_MS = 4_000;
/** The limit for receivers that state their own time-out in a Keep-Alive header. */
const KEEP_ALIVE_MAX_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;

const NEEDS_NO_LOOKUP: Resolution = { kind: 'found', addresses: [] };
const NOTHING_REACHED = {
  moments: { writtenAt: null, answeredAt: null },
  isWritten: false,
  localCause: null,
  reached: null,
  errorDetail: null,
  isReused: false,
  hasReceived: false,
};
/** How long a POST is postponed if this machine lacks resources, or its forward proxy is unavailable, in milliseconds. */
const LOCAL_PAUSE_MS = 1_000;
/** Maximum number of URLs whose check is remembered. */
const MAX_DESTINATIONS = 2_000;
/** How long a canary may take, in milliseconds. */
const CANARY_MS = 2_000;
const CANARY = { workspaceId: 'canary', endpointId: 'canary' };

/** Null for a URL that must not be sent to. */
interface Checked {
  readonly target: Target | null;
}

/**
 * The only way to the receivers. It follows no redirects, ignores proxy variables of the environment and does not limit
 * connections per origin: thousands of endpoints may share a host, and the scheduler limits concurrency.
 */
export function createPoster(options: PosterOptions): ClosablePoster {
  const { egress, deadlineMs, monotonicMs = () => performance.now() } = options;
  const names = createNameResolver({
    deadlineMs: options.lookupDeadlineMs ?? Math.min(LOOKUP_DEADLINE_MS, deadlineMs / 2),
    hostsPath: options.hostsPath ?? '/etc/hosts',
    ...(options.nameServers ? { servers: options.nameServers } : {}),
    ...(options.onLookup ? { onLookup: options.onLookup } : {}),
    monotonicMs,
  });
  const connect = createEgressConnector({
    egress,
    addressesOf: names.known,
    proxy: options.proxy ?? null,
    ...(options.onProxyFailure ? { onProxyFailure: options.onProxyFailure } : {}),
    timeoutMs: deadlineMs,
    monotonicMs,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const connections = createConnections({
    connect,
    monotonicMs,
    maxIdle: MAX_IDLE_CONNECTIONS,
    allowH2: false,
    headersTimeout: 0, // The response handler enforces the deadlines.
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
  });
  /** The rules for URLs do not change, so a busy endpoint's URL is checked once. */
  const destinations = new LRUCache<string, Checked>({ max: MAX_DESTINATIONS });
  const targetOf = (text: string): Target | null => {
    const known = destinations.get(text);
    if (known !== undefined) return known.target;
    const url = withoutEmptyUserinfo(text);
    const target = egress.problemWith(url) === null ? asTarget(new URL(url)) : null;
    destinations.set(text, { target });
    return target;
  };
  const resolve = async ({ hostname }: URL, caller: PostRequest): Promise<Resolution> => {
    const host = bareHost(hostname);
    return isIP(host) !== 0 ? NEEDS_NO_LOOKUP : names.resolve(host, caller);
  };
  const send = createSend({ ...options, connections, resolve, monotonicMs });

  const reachesServer = async (url: URL): Promise<boolean> => {
    const host = bareHost(url.hostname);
    if (isIP(host) === 0 && (await names.resolve(host, CANARY)).kind !== 'found') return false;
    const { hostname, port, protocol } = url;
    return new Promise((settle) =>
      connect(
        { host: url.host, hostname: withoutBrackets(hostname), port, protocol },
        (...[error, socket]) => {
          socket?.destroy();
          settle(error === null || isServersRefusal(error));
        },
      ),
    );
  };

  return {
    post: async (request) => {
      const target = targetOf(request.url);
      if (target === null) return { kind: 'unsendable', reason: 'invalid_url' };
      const { origin } = target;
      const startedAt = monotonicMs();
      const idle = connections.takeIdle(origin);
      const resolution = idle === null ? await resolve(target.url, request) : NEEDS_NO_LOOKUP;
      if (resolution.kind === 'postponed')
        return { kind: 'postponed', cause: 'look_up', forMs: resolution.forMs };
      const sent: Sent =
        resolution.kind === 'failed'
          ? { outcome: outcomeOf(resolution.error), ...NOTHING_REACHED }
          : await send(target, request, { idle, deadline: startedAt + deadlineMs });
      const { outcome, moments, isWritten, localCause, reached, errorDetail, isReused } = sent;
      if (localCause !== null) return { kind: 'postponed', cause: localCause, forMs: LOCAL_PAUSE_MS };
      if (outcome.kind === 'unsendable') return outcome;
      const endedAt = monotonicMs();
      return {
        kind: 'posted',
        outcome,
        origin,
        durationMs: Math.round(endedAt - startedAt),
        phases: phasesOf({ startedAt, reachedAt: reached?.at ?? null, ...moments, endedAt, isReused }),
        isWritten,
        reach: reachOf(sent),
        remoteAddress: reached?.address ?? null,
        ...(errorDetail !== null && { errorDetail }),
      };
    },
    reaches: async (origin) => withTimeout(reachesServer(new URL(origin)), CANARY_MS, async () => false),
    close: async () => {
      names.close();
      await connections.destroy();
    },
  };
}

function asTarget(url: URL): Target {
  const { origin, pathname, search } = url;
  return { url, origin, path: pathname + search };
}

/** Whether a server was reached although there is no connection: its certificate is not trusted. */
function isServersRefusal(error: Error): boolean {
  const outcome = outcomeOf(error);
  return outcome.kind === 'unreachable' && outcome.reason === 'tls';
}

function reachOf({ outcome, moments, isReused, hasReceived }: Omit<Sent, 'localCause' | 'isWritten'>): Reach {
  if (outcome.kind === 'answered') return 'answered';
  if (isReused && !hasReceived) return 'unclear';
  if (moments.writtenAt !== null) return 'silent';
  return outcome.kind === 'unreachable' && outcome.reason === 'tls' ? 'silent' : 'unreached';
}

interface Course extends Moments {
  readonly startedAt: number;
  /** When a server was connected to; null if none was. */
  readonly reachedAt: number | null;
  readonly endedAt: number;
  readonly isReused: boolean;
}

function phasesOf({ startedAt, reachedAt, writtenAt, answeredAt, endedAt, isReused }: Course): PostPhases {
  // Without TLS if that was not established.
  const connectedAt = writtenAt ?? reachedAt;
  return {
    connectMs: connectedAt === null ? null : isReused ? 0 : Math.max(0, Math.round(connectedAt - startedAt)),
    headersMs: writtenAt === null || answeredAt === null ? null : Math.round(answeredAt - writtenAt),
    bodyMs: answeredAt === null ? null : Math.round(endedAt - answeredAt),
  };
}
