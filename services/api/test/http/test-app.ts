import { type ApiToken, hashToken } from '@postrider/shared/domain/api-token';
import { asId } from '@postrider/shared/domain/id';
import { createEgress } from '@postrider/shared/domain/webhook-url';
import type { Workspace } from '@postrider/shared/domain/workspace';
import { fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { createApp } from '../../src/app.js';
import type { Problem } from '../../src/contract/problem.js';
import { createDocuments } from '../../src/document/documents.js';
import { readDocument } from '../../src/document/read-document.js';
import { createAuthenticator } from '../../src/http/authenticate.js';
import { createByteBudget } from '../../src/http/byte-budget.js';
import { type HttpServer, type RequestTimes, startServer } from '../../src/http/server.js';
import { createInputRules } from '../../src/operations/input-rules.js';
import type { Operations } from '../../src/operations/operations.js';
import { createRateLimits, type Limits } from '../../src/rate-limits/rate-limits.js';
import { createTokenBrake } from '../../src/rate-limits/token-brake.js';
import { parseTrustProxy } from '../../src/rate-limits/trust-proxy.js';
import { type RecordedLog, recordedLog } from '../recorded-log.js';
import { type ApiResponse, fetchJson } from '../typed-client.js';

export const SECRETS = {
  admin: 'prt_admin',
  reader: 'prt_reader',
  expired: 'prt_expired',
  revoked: 'prt_revoked',
};
/** Thrown by the fake database when it is unreachable. */
export class DatabaseAway extends Error {}

export interface TestApp {
  readonly origin: string;
  readonly log: RecordedLog;
  /** The operations that ran, with their input. */
  readonly ran: { readonly operation: string; readonly input: unknown; readonly traceId: string }[];
  /** The lookups of tokens so far. */
  readonly lookups: { readonly count: number };
  reservedBodyBytes(): number;
  reservedAnswerBytes(): number;
  /** Holds lookups of tokens from now on. @returns lets them continue */
  holdLookups(): () => void;
  /** Sends a request with the admin token by default, or without one if null. */
  send(path: string, init?: RequestInit, secret?: string | null): Promise<ApiResponse<Problem>>;
  /** Sets the behaviour of all operations; they return an empty list by default. */
  behave(work: () => unknown): void;
  /** Clears the recorded operations and log entries, and restores the default behaviour. */
  reset(): void;
  close(): Promise<void>;
}

interface Settings {
  readonly limits?: Partial<Limits>;
  readonly workspaceLimits?: Partial<Limits>;
  /** Lookups of unknown tokens per minute and address. */
  readonly unknownTokens?: number;
  /** The value of `TRUST_PROXY`. */
  readonly proxies?: string;
  /** Access tokens at `/mcp`. */
  readonly oauth?: Parameters<typeof createApp>[0]['oauth'];
  readonly times?: RequestTimes;
  /** Of all request bodies together. */
  readonly bodyBytes?: number;
  /** Of all large answers together. */
  readonly answerBytes?: number;
}

const LARGE_BUDGET = 64 * 1_024 * 1_024;
const UNLIMITED: Limits = { rest_read: 1e6, rest_write: 1e6, mcp: 1e6, assistant: 1e6, publish: 1e6 };
const NOW = new Date('2026-03-01T12:00:00.000Z');
const ACME: Workspace = {
  id: asId('workspace', 'ws_acme'),
  slug: 'acme',
  name: 'Acme',
  plan: 'free',
  createdAt: NOW,
};
const INPUT_DEPS = {
  egress: createEgress({ allowHttp: false, allowCidrs: [], allowHosts: [] }),
  catalogue: fixedCatalogue(),
  clock: { now: () => NOW },
};
const OTHER: Workspace = { ...ACME, id: asId('workspace', 'ws_other'), slug: 'other' };

/** Starts the HTTP app on loopback with fake operations and an in-memory directory. */
export async function testApp({
  limits = {},
  workspaceLimits = {},
  unknownTokens = 0,
  proxies = '0',
  oauth = null,
  times,
  bodyBytes = LARGE_BUDGET,
  answerBytes = LARGE_BUDGET,
}: Settings = {}): Promise<TestApp> {
  const log = recordedLog();
  const ran: TestApp['ran'] = [];
  const nothing = () => ({ items: [], nextCursor: null });
  let work: () => unknown = nothing;
  const operations = new Proxy({} as Operations, {
    get: (_, operation: string) => async (call: { traceId: string }, input: unknown) => {
      ran.push({ operation, input, traceId: call.traceId });
      return work();
    },
  });
  const clock = { now: () => NOW };
  const lookups = { count: 0 };
  let mayLookUp = Promise.resolve();
  const directory = {
    ...DIRECTORY,
    bearerByHash: async (hash: string) => {
      lookups.count += 1;
      await mayLookUp;
      return DIRECTORY.bearerByHash(hash);
    },
  };
  const bodies = createByteBudget(bodyBytes);
  const answers = createByteBudget(answerBytes);
  const brake = createTokenBrake({ limit: unknownTokens, monotonicMs: () => 0 });
  const app = createApp({
    document: readDocument(),
    documents: createDocuments({
      document: readDocument(),
      version: '0.0.0',
      topicPrefix: '',
      catalogue: fixedCatalogue(),
    }),
    authenticate: createAuthenticator({ directory, brake, clock, log }),
    operations: { all: operations, limitedTo: () => operations, rules: createInputRules(INPUT_DEPS) },
    streams: {
      open() {
        throw new Error('streams are tested elsewhere');
      },
    },
    bodies,
    answers,
    limits: createRateLimits({
      limits: { ...UNLIMITED, ...limits },
      shared: null,
      monotonicMs: () => 0,
      log,
    }),
    workspaceLimits: createRateLimits({
      limits: { ...UNLIMITED, ...workspaceLimits },
      shared: null,
      monotonicMs: () => 0,
      log,
    }),
    trustProxy: parseTrustProxy(proxies),
    consoleFrameAncestors: [],
    mcpOrigins: ['https://chat.example.com'],
    oauth,
    readiness: async () => ['the schema'],
    tracing: null,
    observe: () => {},
    isDatabaseAway: (error) => error instanceof DatabaseAway,
    log,
  });
  const server: HttpServer = await startServer({
    host: '127.0.0.1',
    port: 0,
    listener: app,
    ...(times && { times }),
  });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    origin,
    reservedBodyBytes: bodies.reserved,
    reservedAnswerBytes: answers.reserved,
    holdLookups() {
      const held = Promise.withResolvers<void>();
      mayLookUp = held.promise;
      return held.resolve;
    },
    log,
    ran,
    lookups,
    send: (path, init = {}, secret = SECRETS.admin) =>
      fetchJson<Problem>(`${origin}${path}`, {
        ...init,
        headers: { ...(secret !== null && { authorization: `Bearer ${secret}` }), ...init.headers },
      }),
    reset() {
      ran.length = 0;
      log.lines.length = 0;
      work = nothing;
    },
    behave(next) {
      work = next;
    },
    close: () => server.close(500),
  };
}

function token(name: keyof typeof SECRETS, facts: Partial<ApiToken>): ApiToken {
  return {
    id: asId('token', `tok_${name}`),
    workspaceId: ACME.id,
    name,
    scopes: ['admin'],
    hash: hashToken(SECRETS[name]),
    prefix: 'prt_',
    createdAt: NOW,
    createdBy: null,
    lastUsedAt: NOW,
    lastUsedAddress: null,
    expiresAt: null,
    revokedAt: null,
    ...facts,
  };
}

const TOKENS = [
  token('admin', {}),
  token('reader', { scopes: ['read'] }),
  token('expired', { expiresAt: NOW }),
  token('revoked', { revokedAt: NOW }),
];
const DIRECTORY = {
  bearerByHash: async (hash: string) => {
    const token = TOKENS.find((known) => known.hash === hash);
    return token === undefined ? null : { link: null, token, workspace: ACME };
  },
  workspaceBySlug: async (slug: string) => [ACME, OTHER].find((known) => known.slug === slug) ?? null,
  portalBearerByHash: async () => null,
  recordUse: async () => {},
};
