/** When and how often a request is sent again. */
export interface RetryPolicy {
  /** How many times after the first. */
  readonly times: number;
  /** Milliseconds. An answer that asks for a longer wait is the caller's to deal with. */
  readonly longestWaitMs: number;
  /** Waits; rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly now: () => number;
}

type Send = (request: Request) => Promise<Response>;

const TRY_LATER = new Set([429, 503]);
const FIRST_WAIT_MS = 500;

/**
 * Sends a request until it gets an answer that is not "try later", as often as the policy allows. The repeated request
 * is the same to the byte, its idempotency key included.
 */
export function retrying(send: Send, policy: RetryPolicy): Send {
  const attempt = async (request: Request, tried: number): Promise<Response> => {
    const last = tried >= policy.times;
    const answer = await sendOnce(send, request, last);
    const waitMs = answer === null ? backoffMs(tried) : waitFor(answer, tried, policy);
    if (answer !== null && (last || waitMs === null)) return answer;
    await answer?.body?.cancel();
    await policy.sleep(waitMs ?? 0, request.signal);
    return attempt(request, tried + 1);
  };
  return (request) => attempt(request, 0);
}

/** @returns null when no answer came and the request may be sent again */
async function sendOnce(send: Send, request: Request, last: boolean): Promise<Response | null> {
  try {
    return await send(request.clone());
  } catch (error) {
    if (last || request.signal.aborted || !isRepeatable(request)) throw error;
    return null;
  }
}

/** Without an answer nobody knows whether the request had its effect: repeating it must not have a second one. */
function isRepeatable({ method, headers }: Request): boolean {
  return method === 'GET' || headers.has('idempotency-key');
}

/** @returns milliseconds to wait, null when the answer is to be taken as it is */
function waitFor(answer: Response, tried: number, { now, longestWaitMs }: RetryPolicy): number | null {
  if (!TRY_LATER.has(answer.status)) return null;
  const asked = retryAfterMs(answer.headers.get('retry-after'), now()) ?? backoffMs(tried);
  return asked > longestWaitMs ? null : asked;
}

function backoffMs(tried: number): number {
  return FIRST_WAIT_MS * 2 ** tried;
}

/** Seconds or an HTTP date. */
function retryAfterMs(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
