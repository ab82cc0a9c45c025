export type Send = (request: Request) => Promise<Response>;

export interface SendOptions {
  /**
   * Milliseconds until the whole response has arrived, or until a stream begins; after that, a request counts as one without a
   * response. Default: 30,000.
   */
  readonly timeoutMs?: number;
  /** Defaults to the global `fetch`. */
  readonly fetch?: Send;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Sends a request, and gives up if its whole response does not arrive in time. */
export function sendOnce(options: SendOptions): Send {
  return sendAndWait(options, receiveBody);
}

/** Sends a request for a stream, and gives up if the response does not begin in time. */
export function openOnce(options: SendOptions): Send {
  return sendAndWait(options, async () => {});
}

/**
 * Follows no redirect: a redirected POST may become a GET of another resource, and a redirect to another origin loses the token.
 *
 * @param receive waits for what must arrive in time, besides the beginning of the response
 */
function sendAndWait(
  { timeoutMs = DEFAULT_TIMEOUT_MS, fetch: send = (request) => fetch(request) }: SendOptions,
  receive: (response: Response, signal: AbortSignal) => Promise<void>,
): Send {
  return async (request) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => {
      deadline.abort(new DOMException(`no response within ${timeoutMs} ms`, 'TimeoutError'));
    }, timeoutMs);
    const signal = AbortSignal.any([request.signal, deadline.signal]);
    try {
      const response = await send(new Request(request, { signal, redirect: 'manual' }));
      await receive(response, signal);
      return response;
    } finally {
      clearTimeout(timer);
    }
  };
}

/**
 * Reads the body into memory, from a copy, so that the response can still be read. The body is cancelled here, because the signal
 * of a request may be collected as garbage once its response has begun, and then aborts nothing (Node 24).
 */
async function receiveBody(response: Response, signal: AbortSignal): Promise<void> {
  const copy = response.clone().body?.getReader();
  if (copy === undefined) return;
  const cancel = () => {
    for (const body of [copy, response.body]) void body?.cancel().catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    while (!(await copy.read()).done);
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
