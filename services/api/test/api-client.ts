import { expect } from 'chai';
import type { Problem } from '../src/contract/problem.js';
import { namedOperation, violations } from './check-conformance.js';
import { type ApiResponse, fetchJson, requestWithTypedClient, type WorkspaceAccess } from './typed-client.js';

interface RequestOptions {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A client for one workspace with one token, built on the typed client. Every response is validated against the OpenAPI
 * document, and the result of the typed client against the response.
 */
export interface ApiClient {
  readonly tokenId: string;
  readonly secret: string;
  readonly origin: string;
  /**
   * Sends a request relative to the workspace, such as `/webhooks`. A body of text or bytes, and a method or path that is
   * not in the document, are sent without the typed client.
   */
  request<T>(path: string, options?: RequestOptions): Promise<ApiResponse<T>>;
  /** The same, for an expected refusal. */
  requestRefused(path: string, options?: RequestOptions): Promise<ApiResponse<Problem>>;
}

export function createApiClient(facts: WorkspaceAccess & { readonly tokenId: string }): ApiClient {
  const { origin, slug, secret, tokenId } = facts;
  const request = async <T>(path: string, options: RequestOptions = {}): Promise<ApiResponse<T>> => {
    const { body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = options;
    const url = new URL(`${origin}/workspaces/${slug}${path}`);
    const named = isRaw(body) ? null : namedOperation(method, url.pathname);
    const response: ApiResponse<unknown> =
      named === null
        ? await fetchJson(url.href, { method, ...rawRequest(secret, body, headers) })
        : await requestWithTypedClient(facts, { ...named, query: url.searchParams, body, headers });
    const sent = { method, path: url.pathname };
    expect(violations(sent, response), 'violations of the document').to.deep.equal([]);
    return response as ApiResponse<T>;
  };
  return { tokenId, secret, origin, request, requestRefused: request<Problem> };
}

type RawBody = string | Uint8Array<ArrayBuffer>;

function isRaw(body: unknown): body is RawBody {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function rawRequest(secret: string, body: unknown, headers: Readonly<Record<string, string>>): RequestInit {
  return {
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
  };
}
