import { type Client, createClient, PostriderError } from '@postrider/client';
import { expect } from 'chai';
import type { Method } from '../src/document/openapi.js';

/** A response; `body` is the parsed JSON, null without one. */
export interface ApiResponse<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A workspace and a token. */
export interface WorkspaceAccess {
  readonly origin: string;
  readonly slug: string;
  /** Empty to send no token. */
  readonly secret: string;
}

/** One request of the typed client. */
interface TypedRequest {
  readonly verb: Method;
  /** Relative to the workspace, such as `/webhooks/{endpointId}`. */
  readonly template: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends one request with the typed client and checks that its result matches the response. */
export async function requestWithTypedClient(
  access: WorkspaceAccess,
  request: TypedRequest,
): Promise<ApiResponse<unknown>> {
  let received: ApiResponse<unknown> | null = null;
  const client = createClient({
    baseUrl: access.origin,
    workspace: access.slug,
    ...(access.secret !== '' && { token: access.secret }),
    retry: { times: 0 },
    async fetch(sent) {
      const response = await fetch(sent);
      received = await read(response.clone());
      return response;
    },
  });
  const result = await call(client, request).catch((error: unknown) => error);
  if (received === null) throw result;
  expectMatch(result, received);
  return received;
}

export async function fetchJson<T>(url: string, init: RequestInit = {}): Promise<ApiResponse<T>> {
  return read(await fetch(url, init));
}

async function read<T>(response: Response): Promise<ApiResponse<T>> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** The path is only known at run time, so the types of the call cannot be checked here. */
function call(client: Client, { verb, template, ids, query, body, headers }: TypedRequest): Promise<unknown> {
  const params = { path: ids, query: queryOf(query) };
  const send = client[verb] as (path: string, init: object) => Promise<unknown>;
  return send(template, { params, headers, ...(body !== undefined && { body }) });
}

/** The query parameters; a repeated one has a list of values. */
function queryOf(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...query.keys()].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? `${values[0]}` : values];
    }),
  );
}

function expectMatch(result: unknown, { status, body }: ApiResponse<unknown>): void {
  if (status < 300) {
    expect(result ?? null, 'result of the client').to.deep.equal(body);
    return;
  }
  expect(result, 'error of the client').to.be.instanceOf(PostriderError);
  const { tag, detail, errors, traceId, ...error } = result as PostriderError;
  const { title: _title, type: _type, ...problem } = body as Record<string, unknown>;
  expect({ status: error.status, tag, detail, errors, traceId }).to.deep.equal({ errors: [], ...problem });
}
