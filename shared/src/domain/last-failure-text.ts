import type { AttemptFailureReason, LastAttempt } from './delivery.js';
import { judge, type Outcome } from './judge.js';

/** In the messages of notifications. The other texts of reasons are longer and say what to do. */
const WORDS: Readonly<Record<AttemptFailureReason, string>> = {
  http_status: 'an HTTP status that was not accepted',
  timeout: 'no response in time',
  connection_refused: 'the connection was refused',
  connection_reset: 'the connection was closed before a response',
  dns: 'the name of the host could not be resolved',
  tls: 'no TLS connection',
  network: 'the connection failed',
  invalid_url: 'the URL is not valid',
  blocked_address: 'webhooks are not sent to this address',
};

/** What the last attempt failed with, for a sentence: ` (the last one: HTTP 503)`. Empty if it is not known. */
export function lastFailureText(last: Pick<LastAttempt, 'httpStatus' | 'failureReason'> | null): string {
  if (last === null || last.failureReason === null) return '';
  const isResponse = last.failureReason === 'http_status' && last.httpStatus !== null;
  return ` (the last one: ${isResponse ? `HTTP ${last.httpStatus}` : WORDS[last.failureReason]})`;
}

/** The same of an outcome that was just observed. */
export function lastOutcomeText(outcome: Outcome): string {
  const verdict = judge(outcome);
  return lastFailureText({
    httpStatus: outcome.kind === 'answered' ? outcome.httpStatus : null,
    failureReason: verdict.kind === 'delivered' ? null : verdict.reason,
  });
}
