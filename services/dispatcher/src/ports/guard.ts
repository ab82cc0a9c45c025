/** How far a POST got: a response, a server without a response, or nothing. */
export type Reach = 'answered' | 'silent' | 'unreached';

/** What one POST shows about our own network. */
export interface Evidence {
  readonly workspaceId: string;
  readonly origin: string;
  readonly reach: Reach;
}

/** What to do with an observation. One of them is called once, now or later. */
export interface Verdicts {
  /** The receiver is responsible: the attempt counts. */
  readonly record: () => void;
  /** Our own network is: the delivery stays due and nothing is stored. */
  readonly discard: () => void;
}

/** Decides whether failures are caused by our own network, and holds sending while they are. */
export interface OutageGuard {
  /** The number of POSTs that may be in flight now: 0 while sending is held, Infinity as a rule. */
  allowance(): number;
  judge(evidence: Evidence, verdicts: Verdicts): void;
  /** Sets the function that is called when more may be sent. */
  onAllowed(resume: () => void): void;
}

/** Holds nothing and withholds nothing. */
export const NO_GUARD: OutageGuard = {
  allowance: () => Number.POSITIVE_INFINITY,
  judge: (_evidence, { record }) => record(),
  onAllowed: () => {},
};
