/** Limits that nobody has to set: the specification's, section 8, and those that keep memory bounded. */
export const LIMITS = {
  /** What is kept of an answer's body. */
  bodyBytes: 2_048,
  engine: {
    /** An endpoint that takes longer than this on average shares half of the slots with the other slow ones. */
    slowFromMs: 1_000,
    openDeliveries: 60_000,
    openRetries: 24_000,
    openRetriesEach: 2_000,
    maxUnsettled: 1_024,
    settleBatch: 100,
    settleLanes: 2,
    parkAt: 64,
  },
} as const;
