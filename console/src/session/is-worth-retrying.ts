import { PostriderError, UnexpectedAnswer } from '@postrider/client';

/** A refusal stays a refusal; the client itself has already retried 429, 503 and lost connections, also behind a proxy. */
export function isWorthRetrying(error: unknown): boolean {
  const hasAnswer = error instanceof PostriderError || error instanceof UnexpectedAnswer;
  return hasAnswer && error.status >= 500 && error.status !== 503;
}
