import { setTimeout as sleep } from 'node:timers/promises';
import { checkAtEnd, checkDuringRun, type Violation } from './check.js';
import { isUnavailable } from './database-unavailable.js';
import type { Evidence, Interval } from './evidence.js';
import type { Snapshot } from './snapshot.js';

/** The evidence outside the database. */
export type Logs = Pick<Evidence, 'events' | 'sends' | 'received' | 'conditions'>;

/** Checks the running system at intervals. */
export interface Monitor {
  /** Everything found so far, without repetition. */
  violations(): readonly Violation[];
  /** Stops the interval and checks all invariants. @returns the last snapshot */
  finish(): Promise<Snapshot>;
}

interface MonitorParts {
  readonly take: () => Promise<Snapshot>;
  readonly logs: () => Logs;
  readonly everyMs: number;
}

/** The first check comes early whatever the interval: there is little data then. */
const FIRST_CHECK_MS = 4_000;
const ORACLE = 'the oracle itself';
/** At least one check in this many has to succeed. */
const MAX_TRIES_PER_CHECK = 3;

export function startMonitor({ take, logs, everyMs }: MonitorParts): Monitor {
  const found = new Map<string, Violation>();
  const add = (violation: Violation) => found.set(`${violation.invariant} ${violation.what}`, violation);
  const firstSeen = new Map<string, number>();
  const checks: Interval[] = [];
  const ended = new AbortController();
  let tries = 0;
  let before: Snapshot | null = null;
  const run = (check: typeof checkDuringRun, now: Snapshot) => {
    for (const id of now.deliveries.keys()) if (!firstSeen.has(id)) firstSeen.set(id, now.at);
    for (const violation of check({ ...logs(), now, before, firstSeen, checks })) add(violation);
    before = now;
  };
  const checkOnce = async () => {
    tries += 1;
    const from = Date.now();
    try {
      run(checkDuringRun, await take());
      checks.push({ from, to: Date.now() });
    } catch (error) {
      if (!isUnavailable(error)) add({ invariant: ORACLE, what: `a check failed: ${error}` });
    }
  };
  const checking = (async () => {
    for (let waitMs = Math.min(FIRST_CHECK_MS, everyMs); ; waitMs = everyMs) {
      await sleep(waitMs, undefined, { signal: ended.signal }).catch(() => {});
      if (ended.signal.aborted) return;
      await checkOnce();
    }
  })();
  return {
    violations: () => [...found.values()],
    async finish() {
      ended.abort();
      await checking;
      if (checks.length === 0 || checks.length * MAX_TRIES_PER_CHECK < tries)
        add({ invariant: ORACLE, what: `only ${checks.length} of ${tries} checks could read the database` });
      const now = await take();
      run(checkAtEnd, now);
      return now;
    },
  };
}
