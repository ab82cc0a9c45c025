import type { Problem } from '@postrider/shared/contract/problem';
import { expect } from 'chai';
import { breaches } from './conformance.js';

/** What came back: `body` is the parsed JSON, null when there was none. */
export interface Answered<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

interface Asking {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The way into one workspace as one token. Every answer is held against the published document. */
export interface Door {
  readonly tokenId: string;
  readonly secret: string;
  readonly origin: string;
  /** Asks below the workspace, like `/webhooks`. An object is sent as JSON, text and bytes as they are. */
  ask<T>(path: string, asking?: Asking): Promise<Answered<T>>;
  /** The same, for whoever expects to be refused. */
  refused(path: string, asking?: Asking): Promise<Answered<Problem>>;
}

export function door(facts: { origin: string; slug: string; secret: string; tokenId: string }): Door {
  const { origin, slug, secret, tokenId } = facts;
  const ask = async <T>(path: string, { method, body, headers }: Asking = {}): Promise<Answered<T>> => {
    const url = new URL(`${origin}/workspaces/${slug}${path}`);
    const asked = { method: method ?? (body === undefined ? 'GET' : 'POST'), path: url.pathname };
    const answer = await fetchJson<T>(url.href, {
      method: asked.method,
      headers: {
        authorization: `Bearer ${secret}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: asBytes(body) }),
    });
    expect(breaches(asked, answer), 'what the document does not tell of').to.deep.equal([]);
    return answer;
  };
  return { tokenId, secret, origin, ask, refused: ask<Problem> };
}

export async function fetchJson<T>(url: string, init: RequestInit = {}): Promise<Answered<T>> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

function asBytes(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'string' ? body : JSON.stringify(body);
}
