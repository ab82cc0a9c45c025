import type { AttemptFailureReason } from './delivery.js';

/** Failures without a final response. All of them are retried. */
export type UnreachableReason = Extract<
  AttemptFailureReason,
  'timeout' | 'connection_refused' | 'connection_reset' | 'dns' | 'tls' | 'network'
>;
/** Reasons for not sending the request at all. They are not retried. */
export type UnsendableReason = Extract<AttemptFailureReason, 'invalid_url' | 'blocked_address'>;

/** The outcome of one POST. */
export type Outcome =
  | { readonly kind: 'answered'; readonly httpStatus: number; readonly responseBody: string | null }
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason }
  | { readonly kind: 'unsendable'; readonly reason: UnsendableReason };

export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retryable'; readonly reason: AttemptFailureReason }
  | { readonly kind: 'permanent'; readonly reason: AttemptFailureReason };

/** The only place that classifies outcomes (specification, section 3.1). */
export function judge(outcome: Outcome): Verdict {
  switch (outcome.kind) {
    case 'answered':
      return judgeStatus(outcome.httpStatus);
    case 'unreachable':
      return { kind: 'retryable', reason: outcome.reason };
    case 'unsendable':
      return { kind: 'permanent', reason: outcome.reason };
  }
}

/** Whether a response is a redirect. Redirects are not followed. */
export function isRedirect(httpStatus: number): boolean {
  return httpStatus >= 300 && httpStatus <= 399;
}

function judgeStatus(status: number): Verdict {
  // A 1xx is never final: the response itself is missing.
  if (status < 200) return { kind: 'retryable', reason: 'network' };
  if (status <= 299) return { kind: 'delivered' };
  const retryable = (status >= 500 && status <= 599) || status === 408 || status === 429;
  return { kind: retryable ? 'retryable' : 'permanent', reason: 'http_status' };
}
