import { expect } from 'chai';
import type { Problem } from '../src/contract/problem.js';
import { type Answered, askAsClient, fetchJson, type Opening } from './ask.js';
import { breaches, namedOperation } from './conformance.js';

interface Asking {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A client for one workspace with one token, built on the typed client. Every response is validated against the OpenAPI
 * document, and the result of the typed client against the response.
 */
export interface Door {
  readonly tokenId: string;
  readonly secret: string;
  readonly origin: string;
  /**
   * Sends a request relative to the workspace, such as `/webhooks`. A body of text or bytes, and a method or path that is
   * not in the document, are sent without the typed client.
   */
  ask<T>(path: string, asking?: Asking): Promise<Answered<T>>;
  /** The same, for an expected refusal. */
  refused(path: string, asking?: Asking): Promise<Answered<Problem>>;
}

export function door(facts: Opening & { readonly tokenId: string }): Door {
  const { origin, slug, secret, tokenId } = facts;
  const ask = async <T>(path: string, asking: Asking = {}): Promise<Answered<T>> => {
    const { body, headers = {}, method = body === undefined ? 'GET' : 'POST' } = asking;
    const url = new URL(`${origin}/workspaces/${slug}${path}`);
    const named = isRaw(body) ? null : namedOperation(method, url.pathname);
    const answer: Answered<unknown> =
      named === null
        ? await fetchJson(url.href, { method, ...rawRequest(secret, body, headers) })
        : await askAsClient(facts, { ...named, query: url.searchParams, body, headers });
    const asked = { method, path: url.pathname };
    expect(breaches(asked, answer), 'what the document does not tell of').to.deep.equal([]);
    return answer as Answered<T>;
  };
  return { tokenId, secret, origin, ask, refused: ask<Problem> };
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
