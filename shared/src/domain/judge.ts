import type { AttemptFailureReason } from './delivery.js';

/** Failures between us and the receiver: no final answer came. All of them are retried. */
export type UnreachableReason = Extract<
  AttemptFailureReason,
  'timeout' | 'connection_refused' | 'connection_reset' | 'dns' | 'tls' | 'network'
>;
/** We refuse to send at all. Retrying would not change that. */
export type UnsendableReason = Extract<AttemptFailureReason, 'invalid_url' | 'blocked_address'>;

/** What came of one POST. */
export type Outcome =
  | { readonly kind: 'answered'; readonly httpStatus: number; readonly responseBody: string | null }
  | { readonly kind: 'unreachable'; readonly reason: UnreachableReason }
  | { readonly kind: 'unsendable'; readonly reason: UnsendableReason };

export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retryable'; readonly reason: AttemptFailureReason }
  | { readonly kind: 'permanent'; readonly reason: AttemptFailureReason };

/** The one place that says what an answer means (specification, section 3.1). */
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

function judgeStatus(status: number): Verdict {
  // A 1xx is never final: the answer itself did not come.
  if (status < 200) return { kind: 'retryable', reason: 'network' };
  if (status <= 299) return { kind: 'delivered' };
  const retryable = (status >= 500 && status <= 599) || status === 408 || status === 429;
  return { kind: retryable ? 'retryable' : 'permanent', reason: 'http_status' };
}
