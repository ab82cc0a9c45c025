import { PostriderError } from '@postrider/client';

/** A refusal stays a refusal; the client itself has already retried 429 and 503. Everything else can be temporary. */
export function isWorthRetrying(error: unknown): boolean {
  return !(error instanceof PostriderError) || error.status >= 500;
}
