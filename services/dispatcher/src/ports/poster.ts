import type { AttemptTimings, ErrorDetail } from '@postrider/shared/domain/delivery';
import type { Outcome } from '@postrider/shared/domain/judge';
import type { Reach } from './guard.js';

export interface PostRequest {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly url: string;
  /** Sent unchanged; only host, connection and content-length are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Writes the body in two parts with this pause between them, in milliseconds; at once if absent. */
  readonly splitMs?: number;
}

export interface PostResult {
  readonly outcome: Outcome;
  /** Whole milliseconds from the call to the end of the exchange; null if the request was refused before sending. */
  readonly durationMs: number | null;
  readonly phases: PostPhases;
  /** How far it got; null if the request was refused before sending. */
  readonly reach: Reach | null;
  /** The address that was connected to, whether or not TLS followed; null if none was. */
  readonly remoteAddress: string | null;
  /** Present if that address was reached and no TLS connection with it was established. */
  readonly errorDetail?: ErrorDetail;
}

/** Why nothing was sent. */
export type PostponeCause = 'look_up' | 'local';

/** Nothing was sent, and nothing was learnt about the receiver: this is no attempt. */
export interface Postponed {
  readonly cause: PostponeCause;
  /** After how many milliseconds to try again. */
  readonly postponedMs: number;
}

export function isPostponed(result: object): result is Postponed {
  return 'postponedMs' in result;
}

/** The duration of each phase of a POST, in milliseconds; null for a phase that was not reached. */
export type PostPhases = AttemptTimings;

/** The ends of a name look-up, and the use of addresses whose time to live has passed. */
export const LOOK_UP_RESULTS = ['found', 'no_such_name', 'failed', 'not_sent', 'stale'] as const;
export type LookUpResult = (typeof LOOK_UP_RESULTS)[number];

/** The engine's port to the receivers. */
export interface Poster {
  /** Sends one POST. Never rejects, and always ends within the two deadlines. */
  post(request: PostRequest): Promise<PostResult | Postponed>;
}
