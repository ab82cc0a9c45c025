import createFetchClient, { defaultPathSerializer, type Middleware } from 'openapi-fetch';
import { authorizationOf } from './authorization.js';
import type { AnyEvents, EventData, NewEvent, PublishedEvent, PublishOptions } from './custom-events.js';
import type { components } from './generated/openapi.js';
import { errorOf, isForeign } from './postrider-error.js';
import { randomKey } from './random-key.js';
import { type CreateReplayJob, createReplayAll, type ReplayJob, type ReplayOptions } from './replay-all.js';
import { type RetryPolicy, withRetries } from './retry.js';
import { openOnce, type SendOptions, sendOnce } from './send-once.js';
import { createStream, type StreamFilter, type StreamMessage, type StreamOptions } from './stream.js';
import type { Answer, Arguments, ItemOf, ListPath, PathOf, Verb, WorkspacePaths } from './workspace-paths.js';

/** The result of an event at one endpoint. */
export type EventAtEndpoint = components['schemas']['EventAtEndpoint'];

export interface ClientOptions extends SendOptions {
  /** The URL of the api, such as `https://postrider.example.com`. */
  readonly baseUrl: string;
  /** The workspace's slug. */
  readonly workspace: string;
  /** An API token of the workspace. Not required to accept an invitation. */
  readonly token?: string;
  /** Overrides of the defaults: 4 retries, waits of at most a minute. */
  readonly retry?: Partial<RetryPolicy>;
  /** Creates the `Idempotency-Key` of a POST without one. Defaults to 128 random bits in hexadecimal. */
  readonly newIdempotencyKey?: () => string;
}

/**
 * Calls an operation by its path below the workspace.
 *
 * @throws PostriderError when the server refuses the request; UnexpectedAnswer when the response is not from Postrider;
 * InvalidId and InvalidToken, without a request
 */
export type Call<V extends Verb> = <P extends PathOf<V>>(
  path: P,
  ...init: Arguments<V, P>
) => Promise<Answer<V, P>>;

/**
 * Calls the API for one workspace with one token.
 *
 * @typeParam Custom the custom events that it publishes, as `postrider-client generate` writes them
 */
export interface Client<Custom extends EventData = AnyEvents> {
  readonly get: Call<'get'>;
  readonly put: Call<'put'>;
  /** Every POST has an `Idempotency-Key`, so that retries take effect only once. */
  readonly post: Call<'post'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /** Yields all items of a list. Fetches each page when it is needed. */
  paginate<P extends ListPath>(
    path: P,
    ...init: Arguments<'get', P>
  ): AsyncGenerator<ItemOf<P>, void, undefined>;
  /**
   * Replays all deliveries that a selection matches, oldest first, with a replay job, and waits for it to end. Also resolves if
   * the job failed or was cancelled: check its `status`. Deliveries that were replayed before are skipped unless the selection
   * includes them.
   */
  replayAll(selection: CreateReplayJob, options?: ReplayOptions): Promise<ReplayJob>;
  readonly events: {
    /** Yields the result of an event at each endpoint of the workspace. Fetches each page when it is needed. */
    explain(eventId: string): AsyncGenerator<EventAtEndpoint, void, undefined>;
  };
  /** Publishes an event of a custom type. Once it resolves, the event will be delivered. */
  publish<Type extends keyof Custom & string>(
    event: NewEvent<Custom, Type>,
    options?: PublishOptions,
  ): Promise<PublishedEvent>;
  /**
   * Yields delivery outcomes, or the events of the workspace, as they happen. Reconnects after an interruption and resumes
   * where it stopped; `reset` means that this was not possible. Best effort: the lists are authoritative.
   *
   * @throws PostriderError when the server refuses the stream, for example after the token was revoked
   */
  stream(filter?: StreamFilter, options?: StreamOptions): AsyncGenerator<StreamMessage, void, undefined>;
}

/** The maximum of the api. A workspace may have thousands of endpoints. */
const LARGEST_PAGE = 200;

export function createClient<Custom extends EventData = AnyEvents>(options: ClientOptions): Client<Custom> {
  const { baseUrl, workspace, retry } = options;
  const workspaceUrl = `${baseUrl.replace(/\/+$/, '')}/workspaces/${encodeURIComponent(workspace)}`;
  const send = withRetries(sendOnce(options), retry);
  const open = withRetries(openOnce(options), retry);
  const http = createFetchClient<WorkspacePaths>({
    baseUrl: workspaceUrl,
    pathSerializer: pathOf,
    fetch: send,
  });
  http.use(headersOf(options), THROW_ERRORS);
  // Calls are type-checked at their call site; here the types are too general for the compiler.
  const request = http.request as unknown as LooseRequest;
  const call = async (verb: Verb, path: string, init?: object) => (await request(verb, path, init)).data;
  const callWith = <V extends Verb>(verb: V) =>
    ((path: string, init?: object) => call(verb, path, init)) as unknown as Call<V>;
  const paginate = (path: string, init?: ListInit) => pages((page) => call('get', path, page), init);
  return {
    get: callWith('get'),
    put: callWith('put'),
    post: callWith('post'),
    patch: callWith('patch'),
    delete: callWith('delete'),
    paginate: paginate as unknown as Client['paginate'],
    events: {
      explain(eventId) {
        const params = { path: { eventId }, query: { limit: LARGEST_PAGE } };
        return paginate('/events/{eventId}', { params }) as AsyncGenerator<EventAtEndpoint>;
      },
    },
    publish: (body, { idempotencyKey, signal } = {}) => {
      const header = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
      return call('post', '/events', { body, params: { header }, signal }) as Promise<PublishedEvent>;
    },
    stream: createStream({
      url: `${workspaceUrl}/stream`,
      token: options.token,
      send: open,
      now: retry?.now ?? Date.now,
    }),
    replayAll: createReplayAll({
      start: (body, signal) => call('post', '/webhooks/replay-jobs', { body, signal }) as Promise<ReplayJob>,
      look: (jobId, signal) => {
        const params = { path: { jobId } };
        return call('get', '/webhooks/replay-jobs/{jobId}', { params, signal }) as Promise<ReplayJob>;
      },
    }),
  };
}

/** An id that would change the path: URLs resolve `.`, `..` and empty segments. */
export class InvalidId extends TypeError {}

/** @throws InvalidId */
function pathOf(template: string, ids: Readonly<Record<string, unknown>>): string {
  for (const [name, id] of Object.entries(ids)) {
    if (/^\.{0,2}$/.test(String(id))) throw new InvalidId(`${name} cannot be "${id}"`);
  }
  return defaultPathSerializer(template, ids);
}

type LooseRequest = (verb: Verb, path: string, init?: object) => Promise<{ readonly data?: unknown }>;

interface ListInit {
  readonly params?: {
    readonly path?: Readonly<Record<string, string>>;
    readonly query?: Readonly<Record<string, unknown>>;
  };
}

async function* pages(
  fetchPage: (init: ListInit) => Promise<unknown>,
  init: ListInit = {},
): AsyncGenerator<unknown> {
  let cursor: string | null | undefined = init.params?.query?.cursor as string | undefined;
  do {
    const query = { ...init.params?.query, ...(cursor != null && { cursor }) };
    const page = (await fetchPage({ ...init, params: { ...init.params, query } })) as {
      readonly items: readonly unknown[];
      readonly nextCursor?: string | null;
    };
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor != null);
}

function headersOf({ token, newIdempotencyKey = randomKey }: ClientOptions): Middleware {
  return {
    onRequest({ request }) {
      if (token !== undefined) request.headers.set('authorization', authorizationOf(token));
      if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
        request.headers.set('idempotency-key', newIdempotencyKey());
      }
      return request;
    },
  };
}

const THROW_ERRORS: Middleware = {
  async onResponse({ response }) {
    if (!response.ok || isForeign(response)) throw await errorOf(response);
  },
};
