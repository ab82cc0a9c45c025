/**
 * How far a POST got.
 *
 * - answered: a response.
 * - silent: a server, without a response.
 * - unreached: nothing.
 * - unclear: a reused connection without a byte of a response. Writing to it succeeds although the network drops everything.
 */
export type Reach = 'answered' | 'silent' | 'unreached' | 'unclear';

/** The evidence of one POST about our own network. */
export interface Evidence {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly origin: string;
  readonly reach: Reach;
  /** From its start to its end: a connection that existed before an outage may still bring an answer. */
  readonly durationMs: number;
}

/** The actions for an observation. Exactly one of them is called, once. */
export interface ObservationActions {
  /** For a failure of the receiver, and for a POST that reached it: the attempt counts. */
  readonly record: () => void;
  /** For a failure of our own network: the delivery stays due and nothing is stored. */
  readonly discard: () => void;
}

/** Decides whether POSTs may start, and whether failures are recorded or discarded. */
export interface SendingGuard {
  /** The number of POSTs that may be in flight now: 0 while sending is held, normally Infinity. */
  allowance(): number;
  /** Records or discards an observation: at once, or later if it is not clear yet whether the receiver or our network failed. */
  recordOrDiscard(evidence: Evidence, actions: ObservationActions): void;
  /** Reads what other processes found, for the decisions that follow. Never rejects. */
  refresh(): Promise<void>;
  /** Records or discards the withheld observations of the endpoints that match, by what is known now. */
  decideNow(matches: (endpointId: string) => boolean): void;
  /** How long to wait before a POST to an endpoint whose failures are being judged, in milliseconds; normally 0. */
  waitMs(endpointId: string): number;
  /** Sets the function that is called when more may be sent. */
  onAllowed(resume: () => void): void;
}

/** Holds nothing and withholds nothing. */
export const NO_GUARD: SendingGuard = {
  allowance: () => Number.POSITIVE_INFINITY,
  recordOrDiscard: (_evidence, { record }) => record(),
  refresh: async () => {},
  decideNow: () => {},
  waitMs: () => 0,
  onAllowed: () => {},
};
