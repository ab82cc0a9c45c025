/** A change of a compiled file. */
export interface Edit {
  /** The end of its path. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** What happens to the dispatchers during a trial. */
export type Disturbance = 'none' | 'kills' | 'freezes';

/** A build with one bug, which the oracle has to find. */
export interface BrokenBuild {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Needed for the bug to have an effect. */
  readonly disturbance: Disturbance;
  /** Whether recovery from the stored deliveries would hide the bug; it is then switched off. */
  readonly needsRecoveryOff: boolean;
  /** The oracle has to report at least one of these invariants. */
  readonly violates: readonly string[];
}

/** The failpoint that switches the recovery of lost messages off. */
export const WITHOUT_RECOVERY = 'rows.reconcile:off';

export const BROKEN_BUILDS: readonly BrokenBuild[] = [
  {
    name: 'attempts are stored whatever their ordinal',
    disturbance: 'freezes',
    needsRecoveryOff: false,
    violates: ['I2', 'I7'],
    edits: [
      {
        file: 'shared/dist/src/domain/settle.js',
        find: 'if (delivery === null || !acceptsAttempt(delivery, observation.ordinal))',
        replace: 'if (delivery === null || delivery.attempts >= MAX_ATTEMPTS)',
      },
    ],
  },
  {
    name: 'attempts are recorded without a guard',
    disturbance: 'freezes',
    needsRecoveryOff: false,
    violates: ['I2', 'I7'],
    edits: [
      {
        file: 'services/dispatcher/dist/src/engine/settling/divide-batch.js',
        find: 'const ownedUntil = parts.ownedUntil(endpointId);',
        replace: 'const ownedUntil = FAR_AHEAD;',
      },
      {
        file: 'services/dispatcher/dist/src/engine/settling/divide-batch.js',
        find: 'if (job.hasMoved)',
        replace: 'if (false)',
      },
      {
        file: 'shared/dist/src/mongo/record-attempts.js',
        find: '...STILL_DUE,',
        replace: '',
      },
      {
        file: 'shared/dist/src/mongo/record-attempts.js',
        find: 'attempts: attempt.ordinal - 1,',
        replace: '',
      },
      {
        file: 'shared/dist/src/mongo/record-attempts.js',
        find: "'records.ordinal': { $ne: attempt.ordinal },",
        replace: '',
      },
    ],
  },
  {
    name: 'offsets are committed before the attempt is recorded',
    disturbance: 'kills',
    needsRecoveryOff: true,
    violates: ['I1'],
    edits: [
      {
        file: 'services/dispatcher/dist/src/offsets/partition-window.js',
        find: 'position: () => (isLost ? null : (open.first()?.offset ?? next)),',
        replace: 'position: () => next,',
      },
    ],
  },
  {
    name: 'the streak counts repeated attempts',
    disturbance: 'freezes',
    needsRecoveryOff: false,
    violates: ['I3'],
    edits: [
      {
        file: 'shared/dist/src/domain/settle-all.js',
        find: 'if (settlement === null) {',
        replace: `if (settlement === null) {
          if (before.endpoint?.enabled) endpoints.set(endpointId, {
            ...before.endpoint,
            consecutiveFailures: before.endpoint.consecutiveFailures + 1,
            streakVersion: before.endpoint.streakVersion + 1,
          });`,
      },
    ],
  },
  {
    name: 'retry messages are never sent',
    disturbance: 'none',
    needsRecoveryOff: true,
    violates: ['I1'],
    edits: [
      {
        file: 'services/dispatcher/dist/src/engine/forwarding/pass-on.js',
        find: "case 'retry':",
        replace: "case 'retry': workload.finish(job); break;",
      },
    ],
  },
  {
    name: 'retries do not wait for their backoff',
    disturbance: 'none',
    needsRecoveryOff: false,
    violates: ['I5'],
    edits: [
      {
        file: 'services/dispatcher/dist/src/engine/intake/acceptance.js',
        find: 'Math.min(appendedAt, clockMs()) + backoffMs(tier, retryStepMs)',
        replace: '0',
      },
      {
        file: 'shared/dist/src/domain/next-step.js',
        find: 'if (delivery.dueAt !== null && delivery.dueAt > now)',
        replace: 'if (false)',
      },
    ],
  },
];
