import type { Outcome } from '@postrider/shared/domain/judge';

export interface PostRequest {
  readonly url: string;
  /** Sent unchanged; only host, connection and content-length are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PostResult {
  readonly outcome: Outcome;
  /** Whole milliseconds from the call to the end of the exchange; null if the request was refused before sending. */
  readonly durationMs: number | null;
  readonly phases: PostPhases;
}

/** The duration of each phase of a POST, in milliseconds; null for a phase that was not reached. */
export interface PostPhases {
  readonly connectMs: number | null;
  readonly headersMs: number | null;
  readonly bodyMs: number | null;
}

/** The engine's port to the receivers. */
export interface Poster {
  /** Sends one POST. Never rejects, and always ends within the two deadlines. */
  post(request: PostRequest): Promise<PostResult>;
}
