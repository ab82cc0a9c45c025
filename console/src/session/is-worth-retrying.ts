import { PostriderError, UnexpectedAnswer } from '@postrider/client';

/** The client itself has already retried these, 429 and lost connections. */
const RETRIED_BY_CLIENT: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a read that failed may succeed now: a refusal stays a refusal. */
export function isWorthRetrying(error: unknown): boolean {
  const hasAnswer = error instanceof PostriderError || error instanceof UnexpectedAnswer;
  return hasAnswer && error.status >= 500 && !RETRIED_BY_CLIENT.has(error.status);
}
