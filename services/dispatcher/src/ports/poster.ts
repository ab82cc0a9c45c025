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

/** A POST that ended with a response, or without one. */
export interface Posted {
  readonly kind: 'posted';
  readonly outcome: Exclude<Outcome, Unsendable>;
  /** The origin of its URL. */
  readonly origin: string;
  /** Whole milliseconds from the call to the end of the exchange. */
  readonly durationMs: number;
  readonly phases: PostPhases;
  /** Whether the request was written to a connection. */
  readonly isWritten: boolean;
  readonly reach: Reach;
  /** The address that was connected to, whether or not TLS followed; null if none was. */
  readonly remoteAddress: string | null;
  /** Present if that address was reached and no TLS connection with it was established. */
  readonly errorDetail?: ErrorDetail;
}

/** A request that must not be sent. It is the outcome of an attempt. */
export type Unsendable = Extract<Outcome, { readonly kind: 'unsendable' }>;

/** Why no receiver could be reached: a shortage of this machine, or the forward proxy. */
export type LocalCause = 'local' | 'proxy';

/** Why nothing was sent. */
export type PostponeCause = 'look_up' | LocalCause;

/** Nothing was sent, and nothing was learnt about the receiver: this is no attempt. */
export interface Postponed {
  readonly kind: 'postponed';
  readonly cause: PostponeCause;
  /** The time until the next try, in milliseconds. */
  readonly forMs: number;
}

/** How a request ended. */
export type PostResult = Posted | Unsendable | Postponed;

/** The duration of each phase of a POST, in milliseconds; null for a phase that was not reached. */
export type PostPhases = AttemptTimings;

/** The results of a name lookup, and the use of addresses whose time to live has passed. */
export const LOOKUP_RESULTS = ['found', 'no_such_name', 'failed', 'not_sent', 'stale'] as const;
export type LookupResult = (typeof LOOKUP_RESULTS)[number];

/** The engine's port to the receivers. */
export interface Poster {
  /** Sends one POST. Never rejects, and always ends within the two deadlines. */
  post(request: PostRequest): Promise<PostResult>;
}
