import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import createFetchClient, { defaultPathSerializer, type Middleware } from 'openapi-fetch';
import { errorOf } from './postrider-error.js';
import { type RetryPolicy, retrying } from './retry.js';
import type { Answer, Arguments, ItemOf, ListPath, PathOf, Verb, WorkspacePaths } from './workspace-paths.js';

export interface ClientOptions {
  /** Where Postrider answers, like `https://postrider.example.com`. */
  readonly baseUrl: string;
  /** The workspace's slug. */
  readonly workspace: string;
  /** An API token of that workspace. Accepting an invitation needs none. */
  readonly token?: string;
  /** Differences from the usual: 4 repetitions, waits of at most a minute. */
  readonly retry?: Partial<RetryPolicy>;
  /** Sends a request; the global `fetch` unless told. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Makes the `Idempotency-Key` of a POST that brings none; a random UUID unless told. */
  readonly newIdempotencyKey?: () => string;
}

/**
 * Calls an operation by its path below the workspace.
 *
 * @throws PostriderError when the server refuses; UnexpectedAnswer when something else answered
 */
export type Call<V extends Verb> = <P extends PathOf<V>>(
  path: P,
  ...init: Arguments<V, P>
) => Promise<Answer<V, P>>;

/** One workspace as one token. */
export interface Client {
  readonly get: Call<'get'>;
  readonly put: Call<'put'>;
  /** Every POST carries an `Idempotency-Key`, so it has its effect once, however often it is sent again. */
  readonly post: Call<'post'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /** All items of a list, page after page, each fetched when it is needed. */
  paginate<P extends ListPath>(
    path: P,
    ...init: Arguments<'get', P>
  ): AsyncGenerator<ItemOf<P>, void, undefined>;
}

const USUAL_RETRY: RetryPolicy = {
  times: 4,
  longestWaitMs: 60_000,
  sleep: (ms, signal) => pause(ms, undefined, { signal }),
  now: Date.now,
};

export function createClient(options: ClientOptions): Client {
  const { baseUrl, workspace, retry, fetch: send = (request) => fetch(request) } = options;
  const http = createFetchClient<WorkspacePaths>({
    baseUrl: `${baseUrl.replace(/\/+$/, '')}/workspaces/${encodeURIComponent(workspace)}`,
    pathSerializer: pathOf,
    fetch: retrying(send, { ...USUAL_RETRY, ...retry }),
  });
  http.use(headersOf(options), REFUSALS);
  // The types of a call are checked where it is made; in between they are too general for the compiler to follow.
  const request = http.request as unknown as LooseRequest;
  const call = async (verb: Verb, path: string, init?: object) => (await request(verb, path, init)).data;
  const callWith = <V extends Verb>(verb: V) =>
    ((path: string, init?: object) => call(verb, path, init)) as unknown as Call<V>;
  return {
    get: callWith('get'),
    put: callWith('put'),
    post: callWith('post'),
    patch: callWith('patch'),
    delete: callWith('delete'),
    paginate: ((path: string, init?: Listing) =>
      pages((page) => call('get', path, page), init)) as unknown as Client['paginate'],
  };
}

/** @throws TypeError for an id that would lead to another path: URLs drop `.`, `..` and nothing at all */
function pathOf(template: string, ids: Readonly<Record<string, unknown>>): string {
  for (const [name, id] of Object.entries(ids)) {
    if (/^\.{0,2}$/.test(String(id))) throw new TypeError(`${name} cannot be "${id}"`);
  }
  return defaultPathSerializer(template, ids);
}

type LooseRequest = (verb: Verb, path: string, init?: object) => Promise<{ readonly data?: unknown }>;

interface Listing {
  readonly params?: { readonly query?: Readonly<Record<string, unknown>> };
}

async function* pages(ask: (init: Listing) => Promise<unknown>, init: Listing = {}): AsyncGenerator<unknown> {
  let cursor: string | null | undefined = init.params?.query?.cursor as string | undefined;
  do {
    const query = { ...init.params?.query, ...(cursor != null && { cursor }) };
    const page = (await ask({ ...init, params: { ...init.params, query } })) as {
      readonly items: readonly unknown[];
      readonly nextCursor: string | null;
    };
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

function headersOf({ token, newIdempotencyKey = randomUUID }: ClientOptions): Middleware {
  return {
    onRequest({ request }) {
      if (token !== undefined) request.headers.set('authorization', `Bearer ${token}`);
      if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
        request.headers.set('idempotency-key', newIdempotencyKey());
      }
      return request;
    },
  };
}

const REFUSALS: Middleware = {
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response);
  },
};
