/** Limits that are not configurable: those of the specification, section 8, and those that bound memory. */
export const LIMITS = {
  /** Bytes of a response body that are stored. */
  bodyBytes: 2_048,
  fanOut: {
    openEvents: 5_000,
    openBytes: 32 * 1_024 * 1_024,
  },
  engine: {
    openDeliveries: 60_000,
    openRetries: 24_000,
    openRetriesEach: 2_000,
    maxUnsettled: 1_024,
    maxUnpublished: 5_000,
    settleBatch: 100,
    settleLanes: 2,
  },
} as const;
