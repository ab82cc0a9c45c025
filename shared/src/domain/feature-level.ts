/**
 * Features that may be used, in stored data or by callers, only once every process of the installation understands them: from
 * which feature level on, and their names for callers. Level 1 is what the first version writes, which knows no levels. Each
 * release that stores something new has the next level. Reading does not depend on the level: a process reads all it knows.
 */
export const FEATURES = {
  embeddedAttempts: { level: 2, label: 'Attempts in delivery rows' },
  heldDeliveries: { level: 2, label: 'Held deliveries' },
  endpointRecovery: { level: 2, label: 'Automatic recovery of endpoints' },
  replayJobs: { level: 2, label: 'Replay jobs' },
  customEventTypes: { level: 2, label: 'Custom event types' },
  subscriptionPatterns: { level: 2, label: 'Subscriptions to patterns of event types' },
  endpointFilters: { level: 2, label: 'Filters' },
  endpointOptions: { level: 2, label: 'Headers, metadata, rates and signing methods of endpoints' },
  addedPermissions: { level: 2, label: 'Tokens with scopes of the new version' },
  conformanceChecks: { level: 2, label: 'Conformance checks' },
  portalLinks: { level: 2, label: 'Portal links' },
} as const satisfies Readonly<Record<string, { readonly level: number; readonly label: string }>>;

export type Feature = keyof typeof FEATURES;

/** The level of an installation for which none is stored. */
export const FIRST_LEVEL = 1;
/** The highest level that this version understands. */
export const NEWEST_LEVEL = Math.max(...Object.values(FEATURES).map(({ level }) => level));

/** The services of which every installation runs at least one process. */
export const LASTING_SERVICES = ['api', 'dispatcher', 'dlq-consumer'] as const;

/** The level rises once no older process has been seen for this long, in milliseconds. */
export const NO_OLDER_PROCESS_FOR_MS = 60_000;
