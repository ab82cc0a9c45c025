import type { ClientOptions } from '@postrider/client';
import { ProxyAgent, fetch as send } from 'undici';

/** The option `fetch` of a client behind a forward proxy: `fetch: fetchThrough('http://proxy.example.com:3128')`. */
export function fetchThrough(proxy: string): NonNullable<ClientOptions['fetch']> {
  const dispatcher = new ProxyAgent(proxy);
  return async (request) => {
    // The package does not accept a `Request` of Node itself.
    const { url, method, signal, redirect } = request;
    const headers = [...request.headers];
    const body = request.body === null ? null : await request.arrayBuffer();
    const response = await send(url, { method, headers, body, signal, redirect, dispatcher });
    return response as unknown as Response;
  };
}
