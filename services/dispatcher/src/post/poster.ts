import type { Outcome } from '@postrider/shared/domain/judge';
import type { Egress } from '@postrider/shared/domain/webhook-url';
import { Agent } from 'undici';
import type { Poster, PostPhases, PostRequest, PostResult } from '../ports/poster.js';
import { createEgressConnector } from './egress-connector.js';
import { createNameResolver } from './name-resolver.js';
import { createResponseHandler, type Moments } from './response-handler.js';

export interface ClosablePoster extends Poster {
  /** Drops all connections. A POST in flight ends as `network`. */
  close(): Promise<void>;
}

export interface PosterOptions {
  readonly egress: Egress;
  /** Milliseconds for look-up, connect and headers together. */
  readonly deadlineMs: number;
  /** Milliseconds for the body, from the headers on. */
  readonly bodyDeadlineMs: number;
  readonly bodyLimitBytes: number;
  readonly monotonicMs?: () => number;
  /** Milliseconds for one name look-up; a slower one is a `dns` failure. */
  readonly lookupDeadlineMs?: number;
  /** Name servers, `address:port`; the system's by default. */
  readonly nameServers?: readonly string[];
  readonly hostsPath?: string;
  /** Trusted certificates, PEM; the system's by default. */
  readonly ca?: string;
}

const LOOKUP_DEADLINE_MS = 2_000;
/** Shorter than the time-out of common servers, since a POST on a connection that is being closed is lost. */
const KEEP_ALIVE_MS = 4_000;
/** For receivers that state their own time-out in a Keep-Alive header. */
const KEEP_ALIVE_MAX_MS = 30_000;
const MAX_HEADER_BYTES = 16 * 1024;

const NO_PHASES: PostPhases = { connectMs: null, headersMs: null, bodyMs: null };
const INVALID_URL: PostResult = {
  outcome: { kind: 'unsendable', reason: 'invalid_url' },
  durationMs: null,
  phases: NO_PHASES,
};

/**
 * The only way to the receivers. It follows no redirects, ignores proxy variables of the environment and does not limit
 * connections per origin: thousands of endpoints may share a host, and the scheduler limits concurrency.
 */
export function createPoster(options: PosterOptions): ClosablePoster {
  const { egress, monotonicMs = () => performance.now() } = options;
  const names = createNameResolver({
    deadlineMs: options.lookupDeadlineMs ?? LOOKUP_DEADLINE_MS,
    hostsPath: options.hostsPath ?? '/etc/hosts',
    ...(options.nameServers ? { servers: options.nameServers } : {}),
    monotonicMs,
  });
  const agent = new Agent({
    connect: createEgressConnector({
      egress,
      resolve: names.resolve,
      timeoutMs: options.deadlineMs,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    }),
    allowH2: false,
    headersTimeout: 0, // The response handler enforces the deadlines.
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
  });

  const send = ({ url, headers, body }: PostRequest) =>
    new Promise<{ outcome: Outcome; moments: Moments }>((settle) => {
      const { origin, pathname, search } = new URL(url);
      const request = { origin, path: pathname + search, method: 'POST', headers, body } as const;
      const settled = (outcome: Outcome, moments: Moments) => settle({ outcome, moments });
      agent.dispatch(request, createResponseHandler({ ...options, monotonicMs }, settled));
    });

  return {
    post: async (request) => {
      if (egress.problemWith(request.url) !== null) return INVALID_URL;
      const startedAt = monotonicMs();
      const { outcome, moments } = await send(request);
      if (outcome.kind === 'unsendable') return { outcome, durationMs: null, phases: NO_PHASES };
      const endedAt = monotonicMs();
      const durationMs = Math.round(endedAt - startedAt);
      return { outcome, durationMs, phases: phasesOf({ startedAt, ...moments, endedAt }) };
    },
    close: async () => {
      names.close();
      await agent.destroy();
    },
  };
}

interface Course extends Moments {
  readonly startedAt: number;
  readonly endedAt: number;
}

function phasesOf({ startedAt, writtenAt, answeredAt, endedAt }: Course): PostPhases {
  return {
    connectMs: writtenAt === null ? null : Math.round(writtenAt - startedAt),
    headersMs: writtenAt === null || answeredAt === null ? null : Math.round(answeredAt - writtenAt),
    bodyMs: answeredAt === null ? null : Math.round(endedAt - answeredAt),
  };
}
