import { chunksOf } from '../domain/chunks.js';
import type { StatStep } from '../domain/delivery-stats.js';
import type { EndpointId, WorkspaceId } from '../domain/id.js';
import { addCounts, addStep, beginOfHour } from '../domain/stat-hours.js';
import type { AddStats, OwnedCounts, StatChanges } from '../ports/delivery-stats.js';
import type { Log } from '../ports/log.js';
import { createDelayedFlush } from '../runtime/delayed-flush.js';
import { sleep } from '../runtime/sleep.js';
import { nextTurn } from '../runtime/turns.js';
import { withTimeout } from '../runtime/with-timeout.js';

/** Counts outcomes of deliveries by hour in memory, and stores the counts every few seconds, less often for many endpoints. */
export interface StatsCollector {
  /** Returns at once and never fails. */
  add(endpoint: CountedEndpoint, steps: readonly StatStep[]): void;
  /** Replaces the function that counts hours of counts by the result of storing them. */
  countWith(count: CountStats): void;
  /** Stores the counts in memory, for at most `withinMs`. */
  close(withinMs: number): Promise<void>;
}

/** The endpoint of a delivery, and its workspace: both count its outcomes. */
export interface CountedEndpoint {
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

/** Numbers of endpoints in memory: at the first, counts are stored early; at the second, counts of further ones are lost. */
const MANY_ENDPOINTS = 20_000;
const MAX_ENDPOINTS = 100_000;

/** After a flush of more counts than this the next one waits longer, so that more outcomes share a count. */
const FEW_COUNTS = 1_000;
/** A crash loses the counts in memory, which must not be those of a longer time. */
const LONGEST_PAUSE_MS = 10_000;

/** Counts of endpoints, and as many of workspaces, that are stored together. */
const PART = 250;

/**
 * How long counts are collected after a flush, in milliseconds: many counts cost more than the outcomes that they count. It is at
 * most 10 s, or the interval if that is longer.
 */
export function pauseAfterFlush(counts: number, flushEveryMs: number): number {
  const pauseMs = flushEveryMs * Math.max(counts / FEW_COUNTS, 1);
  return Math.min(pauseMs, Math.max(LONGEST_PAUSE_MS, flushEveryMs));
}

/** Endpoints that are handled in one turn of the event loop: those of a large workspace would block it for 30 ms. */
const ENDPOINTS_OF_A_TURN = 1_000;

/** The counts of an endpoint in one hour. */
interface EndpointCounts {
  readonly workspaceId: WorkspaceId;
  readonly fields: Map<string, number>;
}

/**
 * Counts by hour, in milliseconds, and then by endpoint: after an event for many endpoints there are tens of thousands, nearly
 * all of one hour, so that hours by endpoint would take twice the memory.
 */
type Pending = Map<number, Map<EndpointId, EndpointCounts>>;

export function createStatsCollector({ addStats, flushEveryMs, log }: CollectorParts): StatsCollector {
  let pending: Pending = new Map();
  /** Counts of endpoints in all hours of `pending`. */
  let size = 0;
  let count: CountStats = () => {};
  let pauseMs = flushEveryMs;
  const closing = new AbortController();
  /** Waits, but not while the process stops. */
  const untilClosing = (ms: number) => sleep(ms, { signal: closing.signal }).catch(() => {});

  const store = async () => {
    const taken = pending;
    pending = new Map();
    size = 0;
    const changes = await changesOf(taken);
    const parts = partsOf(changes);
    pauseMs = pauseAfterFlush(countsIn(changes), flushEveryMs);
    if (parts.length === 1) return storePart(changes);
    // Together, many would keep the database from everything else for a second.
    pauseMs /= 2;
    for (const part of parts) {
      await storePart(part);
      await untilClosing(pauseMs / parts.length);
    }
  };
  const storePart = async (part: StatChanges) => {
    const hours = countsIn(part);
    try {
      await addStats(part);
      count('stored', hours);
    } catch (err) {
      // Some may be stored, so storing all again could count them twice. The janitor counts again.
      count('lost', hours);
      log.warn(
        { event: 'stats.lost', hours, err },
        'counts of deliveries were lost until the janitor recounts',
      );
    }
  };
  const { schedule, drain } = createDelayedFlush({
    waiting: () => size,
    full: MANY_ENDPOINTS,
    pauseMs: () => pauseMs,
    flush: store,
  });
  /** Null if there is no room for another endpoint. @param hour its beginning, in milliseconds */
  const countsOf = (
    { endpointId, workspaceId }: CountedEndpoint,
    hour: number,
  ): Map<string, number> | null => {
    const endpoints = pending.get(hour) ?? new Map<EndpointId, EndpointCounts>();
    const existing = endpoints.get(endpointId);
    if (existing !== undefined) return existing.fields;
    if (size >= MAX_ENDPOINTS) return null;
    const fields = new Map<string, number>();
    endpoints.set(endpointId, { workspaceId, fields });
    pending.set(hour, endpoints);
    size += 1;
    return fields;
  };
  return {
    add(endpoint, steps) {
      if (steps.length === 0) return;
      let counts: Map<string, number> | null = null;
      let hour = Number.NaN;
      for (const step of steps) {
        // Nearly always the hour of the step before.
        if (beginOfHour(step.at) !== hour) {
          hour = beginOfHour(step.at);
          counts = countsOf(endpoint, hour);
        }
        if (counts === null) return count('lost', 1);
        addStep(counts, step);
      }
      schedule();
    },
    countWith(newCount) {
      count = newCount;
    },
    async close(withinMs) {
      closing.abort();
      await withTimeout(drain(), withinMs, async () => {
        pending.clear();
        size = 0;
      });
    },
  };
}

function countsIn({ endpoints, workspaces }: StatChanges): number {
  return endpoints.length + workspaces.length;
}

function partsOf({ endpoints, workspaces }: StatChanges): readonly StatChanges[] {
  const [ofEndpoints, ofWorkspaces] = [chunksOf(endpoints, PART), chunksOf(workspaces, PART)];
  return Array.from({ length: Math.max(ofEndpoints.length, ofWorkspaces.length) }, (_, index) => ({
    endpoints: ofEndpoints[index] ?? [],
    workspaces: ofWorkspaces[index] ?? [],
  }));
}

/** The counts of endpoints, and their sums for workspaces. */
async function changesOf(pending: Pending): Promise<StatChanges> {
  const endpoints: OwnedCounts<EndpointId>[] = [];
  const workspaces: OwnedCounts<WorkspaceId>[] = [];
  for (const [begin, byEndpoint] of pending) {
    const hour = new Date(begin);
    const sums = new Map<WorkspaceId, Map<string, number>>();
    for (const [owner, { workspaceId, fields }] of byEndpoint) {
      endpoints.push({ owner, hour, fields });
      const sum = sums.get(workspaceId) ?? new Map<string, number>();
      sums.set(workspaceId, sum);
      addCounts(sum, fields);
      if (endpoints.length % ENDPOINTS_OF_A_TURN === 0) await nextTurn();
    }
    for (const [owner, fields] of sums) workspaces.push({ owner, hour, fields });
  }
  return { endpoints, workspaces };
}
