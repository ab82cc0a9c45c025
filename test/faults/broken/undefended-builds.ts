import type { Violation } from '../oracle/check.js';
import type { Edit } from './builds.js';

/** A build without a defence that a fault covers. */
export interface UndefendedBuild {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** The number of the fault, which has to be red. */
  readonly fault: number;
  /** Each has to be among the violations: its invariant, and a part of its text. */
  readonly reports: readonly Violation[];
}

export const UNDEFENDED_BUILDS: readonly UndefendedBuild[] = [
  {
    name: 'the outage guard never trips',
    fault: 42,
    reports: [{ invariant: 'the fault itself', what: 'outage_guard.holding was not logged' }],
    edits: [
      {
        file: 'services/dispatcher/dist/src/guard/guard-state.js',
        find: "if (event.kind !== 'outage' && event.kind !== 'references')",
        replace: 'if (true)',
      },
    ],
  },
  {
    name: 'failed lookups are attempts although no name server works',
    fault: 31,
    reports: [{ invariant: 'the fault itself', what: 'have a failure of the outage' }],
    edits: [
      {
        file: 'services/dispatcher/dist/src/post/name-server-health.js',
        find: 'else if (isServersFault(request, error, began))',
        replace: 'else if (false)',
      },
    ],
  },
  {
    name: 'POSTs have one pool, and no limits for a workspace, an origin and an endpoint on probation',
    fault: 37,
    reports: [{ invariant: 'I9', what: 'the p99 of healthy endpoints rose' }],
    edits: [
      {
        file: 'services/dispatcher/dist/src/engine/scheduler/pools.js',
        find: "return standing === 'slow' || standing === 'silent' ? 'lingering' : standing;",
        replace: "return 'proven';",
      },
      {
        file: 'services/dispatcher/dist/src/engine/scheduler/pools.js',
        find: "leavesRoom: (kind, usage) => kind === 'lingering' || usage.prompt < limits.perFree * freeFor(kind)",
        replace: 'leavesRoom: () => true',
      },
      {
        file: 'services/dispatcher/dist/src/engine/scheduler/pool-limits.js',
        find: 'perOrigin: Math.min(LINGERING_PER_ORIGIN, lingering)',
        replace: 'perOrigin: 1_000_000',
      },
      {
        file: 'services/dispatcher/dist/src/engine/scheduler/slot-queues.js',
        find: "return is === 'slow' && pools.isCalm() ? limits.perEndpoint : 1;",
        replace: 'return limits.perEndpoint;',
      },
      {
        file: 'services/dispatcher/dist/src/engine/scheduler/slots.js',
        find: "if (slot.kind === 'lingering')\n            return;\n        pools.linger",
        replace: 'return;\n        pools.linger',
      },
    ],
  },
  {
    name: 'POSTs are sent while the clocks differ',
    fault: 34,
    reports: [
      { invariant: 'the fault itself', what: 'POSTs arrived while sending was held' },
      { invariant: 'I10', what: 'does not verify' },
    ],
    edits: [
      {
        file: 'services/dispatcher/dist/src/guard/clock-hold.js',
        find: 'isHolding: () => holding,',
        replace: 'isHolding: () => false,',
      },
    ],
  },
  {
    name: 'addresses are not used beyond their time to live',
    fault: 38,
    reports: [{ invariant: 'the fault itself', what: 'deliveries have a failed attempt' }],
    edits: [
      {
        file: 'services/dispatcher/dist/src/post/name-cache.js',
        find: 'if (entry.addresses === null || monotonicMs() >= entry.freshUntil + STALE_MS)',
        replace: 'if (true)',
      },
    ],
  },
];
