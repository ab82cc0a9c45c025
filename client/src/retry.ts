import { errorOf, hasType, PostriderError, type ProblemTag } from './postrider-error.js';
import type { Send } from './send-once.js';
import { sleep } from './sleep.js';

/** When and how often a request is retried. */
export interface RetryPolicy {
  /** Maximum number of retries after the first attempt. */
  readonly times: number;
  /** Milliseconds. A response with a longer `Retry-After` is returned without a retry. */
  readonly longestWaitMs: number;
  /** Waits; rejects when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly now: () => number;
}

const TIMES = 4;
const LONGEST_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
/** The server, or a proxy in front of it, may recover. The request may have taken effect. */
const RECOVERABLE_STATUSES: ReadonlySet<number> = new Set([502, 503, 504]);
/**
 * An api process that dies keeps an idempotency key for 30 s. The waits before the last three of four retries, 5, 10 and 20 s,
 * add up to more than that. The first retry follows the connection that the process closed.
 */
const FIRST_WAIT_FOR_KEY_MS = 2_500;

/**
 * Retries a request after 429 and a 409 `IdempotencyKeyInUse`, and an idempotent one also after network errors, 502, 503 and
 * 504, except `StreamsDisabled`, within the policy. Every retry is identical, including its idempotency key.
 *
 * @param changes to the default policy
 */
export function withRetries(send: Send, changes: Partial<RetryPolicy> = {}): Send {
  const policy = policyOf(changes);
  const attempt = async (request: Request, retries: number): Promise<Response> => {
    const last = retries >= policy.times;
    const response = await sendUnlessLost(send, request, last);
    const waitMs =
      response === null ? backoffMs(retries) : await retryDelayMs({ request, response, retries }, policy);
    if (response !== null && (last || waitMs === null)) return response;
    await response?.body?.cancel();
    await policy.sleep(waitMs ?? 0, request.signal);
    return attempt(request, retries + 1);
  };
  return (request) => attempt(request, 0);
}

/** A change that is undefined, which the types of many projects permit, is none: without a number of retries they would not end. */
function policyOf(changes: Partial<RetryPolicy>): RetryPolicy {
  const { times = TIMES, longestWaitMs = LONGEST_WAIT_MS, now = Date.now } = changes;
  return { times, longestWaitMs, now, sleep: changes.sleep ?? sleep };
}

/** @returns null when no response arrived and the request may be retried */
async function sendUnlessLost(send: Send, request: Request, last: boolean): Promise<Response | null> {
  try {
    return await send(request.clone());
  } catch (error) {
    if (last || request.signal.aborted || !isIdempotent(request)) throw error;
    return null;
  }
}

/** Without a response, and after such a status, the request may have taken effect, so a retry must not take effect again. */
function isIdempotent({ method, headers }: Request): boolean {
  return method === 'GET' || headers.has('idempotency-key');
}

interface Answered {
  readonly request: Request;
  readonly response: Response;
  readonly retries: number;
}

/** @returns null when the request must not be retried */
async function retryDelayMs(
  { request, response, retries }: Answered,
  { now, longestWaitMs }: RetryPolicy,
): Promise<number | null> {
  const firstWaitMs = await firstWaitAfterMs(request, response);
  if (firstWaitMs === null) return null;
  const delay = retryAfterMs(response.headers.get('retry-after'), now()) ?? backoffMs(retries, firstWaitMs);
  return delay > longestWaitMs ? null : delay;
}

/** @returns null when the request must not be retried */
async function firstWaitAfterMs(request: Request, response: Response): Promise<number | null> {
  if (response.status === 429) return FIRST_WAIT_MS;
  if (RECOVERABLE_STATUSES.has(response.status))
    return (await mayRecover(request, response)) ? FIRST_WAIT_MS : null;
  const isInUse = response.status === 409 && (await tagOf(response)) === 'IdempotencyKeyInUse';
  return isInUse ? FIRST_WAIT_FOR_KEY_MS : null;
}

/** Streams that are disabled stay so until the installation is configured again. */
async function mayRecover(request: Request, response: Response): Promise<boolean> {
  return isIdempotent(request) && (await tagOf(response)) !== 'StreamsDisabled';
}

/**
 * Reads the body from a copy, because the caller reads that of the response.
 *
 * @returns null if the response is not from Postrider, or its body breaks off
 */
async function tagOf(response: Response): Promise<ProblemTag | null> {
  if (!hasType(response.headers, 'application/problem+json')) return null;
  const error = await errorOf(response.clone()).catch(() => null);
  return error instanceof PostriderError ? error.tag : null;
}

function backoffMs(retries: number, firstWaitMs = FIRST_WAIT_MS): number {
  return firstWaitMs * 2 ** retries;
}

/** Parses a number of seconds or an HTTP date. */
function retryAfterMs(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? null : Math.max(ms, 0);
}
