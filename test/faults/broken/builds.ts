/** One change of a compiled file. */
export interface Edit {
  /** The end of its path. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A system with one mistake in it that the oracle has to notice. */
export interface BrokenBuild {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** What the dispatcher is made to go through, so that the mistake shows. */
  readonly needs: 'deaths' | 'freezes' | 'nothing';
  /** Would the rows bring back what it loses? */
  readonly isHealed: boolean;
  /** The invariants of which one at least has to be found broken. */
  readonly breaks: readonly string[];
}

/** Rows bring back whatever messages were lost; without that, losing messages shows. */
export const NO_HEALING = 'rows.reconcile:off';

export const BROKEN_BUILDS: readonly BrokenBuild[] = [
  {
    name: 'attempts are stored without a look at their ordinal',
    needs: 'freezes',
    isHealed: false,
    breaks: ['I2', 'I7'],
    edits: [
      {
        file: 'shared/dist/src/domain/settle.js',
        find: 'if (observation.ordinal !== delivery.attempts + 1 || delivery.attempts >= MAX_ATTEMPTS)',
        replace: 'if (delivery.attempts >= MAX_ATTEMPTS)',
      },
      {
        file: 'shared/dist/src/domain/settle.js',
        find: 'if (delivery === null || isTerminal(delivery))',
        replace: 'if (delivery === null)',
      },
      {
        file: 'shared/dist/src/mongo/settlement-store.js',
        find: 'await collections.attempts.insertMany(attempts.map(toAttemptDocument), { session });',
        replace: `await collections.attempts.bulkWrite(attempts.map(toAttemptDocument).map((replacement) => (
          { replaceOne: { filter: { _id: replacement._id }, replacement, upsert: true } })), { session });`,
      },
    ],
  },
  {
    name: 'offsets are committed before the record is',
    needs: 'deaths',
    isHealed: true,
    breaks: ['I1'],
    edits: [
      {
        file: 'services/dispatcher/dist/src/engine/partition-window.js',
        find: 'position: () => oldest()?.[0] ?? next,',
        replace: 'position: () => next,',
      },
    ],
  },
  {
    name: 'the streak counts duplicates',
    needs: 'freezes',
    isHealed: false,
    breaks: ['I3'],
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
    name: 'retries are never produced',
    needs: 'nothing',
    isHealed: true,
    breaks: ['I1'],
    edits: [
      {
        file: 'services/dispatcher/dist/src/engine/pass-on.js',
        find: "case 'retry': {",
        replace: "case 'retry': { workload.finish(job); break;",
      },
    ],
  },
  {
    name: 'retries do not wait',
    needs: 'nothing',
    isHealed: false,
    breaks: ['I5'],
    edits: [
      {
        file: 'services/dispatcher/dist/src/engine/engine.js',
        find: 'appendedAt + backoffMs(tier, stepMs)',
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
