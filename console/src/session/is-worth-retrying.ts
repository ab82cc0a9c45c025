import { PostriderError, UnexpectedAnswer } from '@postrider/client';

/** A refusal stays a refusal; the client itself has already retried 429, 503 and lost connections. */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof PostriderError) return error.status === 500;
  return error instanceof UnexpectedAnswer;
}
