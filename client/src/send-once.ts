export type Send = (request: Request) => Promise<Response>;

export interface SendOptions {
  /** Milliseconds until a response begins; after that, a request counts as one without a response. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Defaults to the global `fetch`. */
  readonly fetch?: Send;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Sends a request, and gives up if the response does not begin in time. Follows no redirect: a redirected POST may become a GET
 * of another resource, and a redirect to another origin loses the token.
 */
export function sendOnce({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  fetch: send = (request) => fetch(request),
}: SendOptions): Send {
  return async (request) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      deadline.abort(new DOMException(`no response within ${timeoutMs} ms`, 'TimeoutError'));
    }, timeoutMs);
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    try {
      return await send(new Request(request, { signal, redirect: 'manual' }));
    } finally {
      clearTimeout(timer);
    }
  };
}
