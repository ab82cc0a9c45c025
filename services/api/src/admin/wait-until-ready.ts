import { isHttpUrl } from '@postrider/shared/runtime/is-http-url';
import { sleep as sleepByTimer } from '@postrider/shared/runtime/sleep';
import { UsageError } from './errors.js';

interface ReadinessWait {
  readonly apiUrl: string;
  /** On the clock of `performance.now()`. */
  readonly deadline: number;
  readonly sleep?: (ms: number) => Promise<void>;
}

const POLL_INTERVAL_MS = 500;
const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Waits until the api is ready. During a rollout connections are refused, or a proxy responds with 502 or 503.
 *
 * @throws UsageError after the deadline, or at once for an error that waiting cannot resolve
 */
export async function waitUntilReady({
  apiUrl,
  deadline,
  sleep = sleepByTimer,
}: ReadinessWait): Promise<void> {
  for (;;) {
    const problem = await readReadiness(apiUrl);
    if (problem === null) return;
    const error = new UsageError(`--api-url ${apiUrl} ${problem.reason}`);
    if (problem.isPermanent || performance.now() >= deadline) throw error;
    await sleep(POLL_INTERVAL_MS);
  }
}

interface ReadinessProblem {
  readonly reason: string;
  readonly isPermanent: boolean;
}

/** Accepts any status below 500, because a proxy may not forward `/readyz`. @returns null when the api is ready */
async function readReadiness(apiUrl: string): Promise<ReadinessProblem | null> {
  if (!isHttpUrl(apiUrl)) return { reason: 'is not an http:// or https:// URL', isPermanent: true };
  try {
    const response = await fetch(`${apiUrl}/readyz`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const text = await response.text();
    return response.status < 500
      ? null
      : { reason: `is not ready: ${response.status} ${text}`.trim(), isPermanent: false };
  } catch (error) {
    const { cause = error } = error as Error;
    return { reason: `does not respond: ${String(cause)}`, isPermanent: isPermanent(cause) };
  }
}

/** An error of the address itself has no network error code. */
function isPermanent(cause: unknown): boolean {
  const { code } = cause as { code?: unknown };
  return code === undefined || code === 'ERR_INVALID_URL';
}
