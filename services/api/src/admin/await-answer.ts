import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from './usage-error.js';

interface Awaited {
  readonly apiUrl: string;
  /** When to give up, by `performance.now()`. */
  readonly until: number;
  readonly pause?: () => Promise<void>;
}

const LOOK_EVERY_MS = 500;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Waits until the api is ready. One that is just being rolled out refuses connections, or the proxy before it answers
 * that nobody is there.
 *
 * @throws UsageError when the time is up, or at once when waiting cannot help
 */
export async function awaitAnswer({
  apiUrl,
  until,
  pause = () => wait(LOOK_EVERY_MS),
}: Awaited): Promise<void> {
  for (;;) {
    const lacks = await whatItLacks(apiUrl);
    if (lacks === null) return;
    const mistake = new UsageError(`--api-url ${apiUrl} ${lacks.reason}`);
    if (lacks.forGood || performance.now() >= until) throw mistake;
    await pause();
  }
}

interface Lack {
  readonly reason: string;
  readonly forGood: boolean;
}

/** An answer that is no server's complaint will do: a proxy may keep `/readyz` to itself. */
async function whatItLacks(apiUrl: string): Promise<Lack | null> {
  try {
    const answer = await fetch(`${apiUrl}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const text = await answer.text();
    return answer.status < 500
      ? null
      : { reason: `is not ready: ${answer.status} ${text}`.trim(), forGood: false };
  } catch (error) {
    const { cause = error } = error as Error;
    return { reason: `does not answer: ${String(cause)}`, forGood: isForGood(cause) };
  }
}

/** What is wrong with the address itself has no code of the network. */
function isForGood(cause: unknown): boolean {
  const { code } = cause as { code?: unknown };
  return code === undefined || code === 'ERR_INVALID_URL';
}
