import type { StatStep } from '../domain/delivery-stats.js';
import type { EndpointId, WorkspaceId } from '../domain/id.js';
import { addHours, addSteps, type HourCounts } from '../domain/stat-hours.js';
import type { AddStats, OwnedCounts, StatChanges } from '../ports/delivery-stats.js';
import type { Log } from '../ports/log.js';
import { withTimeout } from '../runtime/with-timeout.js';

/** Counts outcomes of deliveries by the hour in memory, and stores the counts every few seconds, those of many endpoints less often. */
export interface StatsCollector {
  /** Returns at once and never fails. */
  add(owner: StatOwner, steps: readonly StatStep[]): void;
  /** Replaces the function that counts what became of counts of hours. */
  countWith(count: CountStats): void;
  /** Stores what is in memory, for `withinMs` at most. */
  close(withinMs: number): Promise<void>;
}

/** A delivery's endpoint and its workspace. */
export interface StatOwner {
  readonly endpointId: EndpointId;
  readonly workspaceId: WorkspaceId;
}

export const STAT_RESULTS = ['stored', 'lost'] as const;
export type CountStats = (result: (typeof STAT_RESULTS)[number], hours: number) => void;

interface CollectorParts {
  readonly addStats: AddStats;
  readonly flushEveryMs: number;
  readonly log: Log;
}

/** Endpoints in memory at which counts are stored early, and at which those of others are lost. */
const MANY_ENDPOINTS = 20_000;
const MOST_ENDPOINTS = 100_000;

/** After a flush of more counts than this the next one waits longer, so that more outcomes share a count. */
const FEW_COUNTS = 1_000;
const LONGEST_PAUSE_IN_INTERVALS = 12;

/** How long counts are collected after a flush: counts of so many endpoints cost more than what they count. */
export function pauseAfterFlush(counts: number, flushEveryMs: number): number {
  return flushEveryMs * Math.min(Math.max(counts / FEW_COUNTS, 1), LONGEST_PAUSE_IN_INTERVALS);
}

type Hours = Map<number, HourCounts>;

interface Pending {
  readonly workspaceId: WorkspaceId;
  readonly hours: Hours;
}

export function createStatsCollector({ addStats, flushEveryMs, log }: CollectorParts): StatsCollector {
  let pending = new Map<EndpointId, Pending>();
  let timer: NodeJS.Timeout | null = null;
  let flushing: Promise<void> | null = null;
  let count: CountStats = () => {};
  let pauseMs = flushEveryMs;

  const store = async () => {
    const changes = changesOf(pending);
    const hours = changes.endpoints.length + changes.workspaces.length;
    pending = new Map();
    pauseMs = pauseAfterFlush(hours, flushEveryMs);
    try {
      await addStats(changes);
      count('stored', hours);
    } catch (err) {
      // Some may be stored, so all of them again could count twice. The janitor counts again.
      count('lost', hours);
      log.warn(
        { event: 'stats.lost', hours, err },
        'counts of deliveries were lost until the janitor recounts',
      );
    }
  };
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    flushing ??= store().finally(() => {
      flushing = null;
      schedule();
    });
    return flushing;
  };
  const schedule = () => {
    if (pending.size === 0 || flushing !== null) return;
    if (pending.size >= MANY_ENDPOINTS) void flush();
    else timer ??= setTimeout(() => void flush(), pauseMs);
  };
  return {
    add({ endpointId, workspaceId }, steps) {
      if (steps.length === 0) return;
      let of = pending.get(endpointId);
      if (of === undefined && pending.size >= MOST_ENDPOINTS) return count('lost', 1);
      if (of === undefined) {
        of = { workspaceId, hours: new Map() };
        pending.set(endpointId, of);
      }
      addSteps(of.hours, steps);
      schedule();
    },
    countWith(newCount) {
      count = newCount;
    },
    async close(withinMs) {
      const drain = async () => {
        while (pending.size > 0 || flushing !== null) await flush();
      };
      await withTimeout(drain(), withinMs, async () => pending.clear());
    },
  };
}

/** The counts of endpoints, and their sums for workspaces. */
function changesOf(pending: ReadonlyMap<EndpointId, Pending>): StatChanges {
  const endpoints: OwnedCounts<EndpointId>[] = [];
  const sums = new Map<WorkspaceId, Hours>();
  for (const [owner, { workspaceId, hours }] of pending) {
    const ofWorkspace = sums.get(workspaceId) ?? new Map<number, HourCounts>();
    sums.set(workspaceId, ofWorkspace);
    for (const { hour, fields } of hours.values()) endpoints.push({ owner, hour, fields });
    addHours(ofWorkspace, hours);
  }
  const workspaces = [...sums].flatMap(([owner, hours]) =>
    [...hours.values()].map((one) => ({ ...one, owner })),
  );
  return { endpoints, workspaces };
}
