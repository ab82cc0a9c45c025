import { type Client, createClient, PostriderError } from '@postrider/client';
import { expect } from 'chai';
import type { Method } from '../src/document/openapi.js';

/** A response; `body` is the parsed JSON, null without one. */
export interface Answered<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** A workspace and a token. */
export interface Opening {
  readonly origin: string;
  readonly slug: string;
  /** Empty to send no token. */
  readonly secret: string;
}

/** One request of the typed client. */
interface Said {
  readonly verb: Method;
  /** Relative to the workspace, such as `/webhooks/{endpointId}`. */
  readonly template: string;
  readonly ids: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends one request with the typed client and checks that its result matches the response. */
export async function askAsClient(opening: Opening, said: Said): Promise<Answered<unknown>> {
  let answer: Answered<unknown> | null = null;
  const client = createClient({
    baseUrl: opening.origin,
    workspace: opening.slug,
    ...(opening.secret !== '' && { token: opening.secret }),
    retry: { times: 0 },
    async fetch(sent) {
      const response = await fetch(sent);
      answer = await read(response.clone());
      return response;
    },
  });
  const told = await call(client, said).catch((error: unknown) => error);
  if (answer === null) throw told;
  expectFaithful(told, answer);
  return answer;
}

export async function fetchJson<T>(url: string, init: RequestInit = {}): Promise<Answered<T>> {
  return read(await fetch(url, init));
}

async function read<T>(response: Response): Promise<Answered<T>> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** The path is only known at run time, so the types of the call cannot be checked here. */
function call(client: Client, { verb, template, ids, query, body, headers }: Said): Promise<unknown> {
  const params = { path: ids, query: allOf(query) };
  const ask = client[verb] as (path: string, init: object) => Promise<unknown>;
  return ask(template, { params, headers, ...(body !== undefined && { body }) });
}

/** The query parameters; a repeated one has a list of values. */
function allOf(query: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...query.keys()].map((name) => {
      const values = query.getAll(name);
      return [name, values.length === 1 ? `${values[0]}` : values];
    }),
  );
}

function expectFaithful(told: unknown, { status, body }: Answered<unknown>): void {
  if (status < 300) {
    expect(told ?? null, 'what the client gives').to.deep.equal(body);
    return;
  }
  expect(told, 'what the client throws').to.be.instanceOf(PostriderError);
  const { tag, detail, errors, traceId, ...error } = told as PostriderError;
  const { title: _title, type: _type, ...problem } = body as Record<string, unknown>;
  expect({ status: error.status, tag, detail, errors, traceId }).to.deep.equal({ errors: [], ...problem });
}
