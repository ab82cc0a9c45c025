import type { Log } from '@postrider/shared/ports/log';
import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';
import { isolate } from '@postrider/shared/runtime/isolate';
import type { PendingObservation, SettledObservation } from './pending-observation.js';
import type { SettleBatch } from './settle-batch.js';
import { type CommitLane, createSettleLanes, type SettleLanesParts } from './settle-lanes.js';

/** Stores observations in group commits. */
export interface Settler {
  add(entry: PendingObservation): void;
  /** Observations that are not stored yet. */
  unsettled(): number;
}

export interface SettlerParts extends SettleLanesParts {
  readonly settle: SettleBatch;
  /** Maximum number of observations in one commit, unless the database rejects commits. */
  readonly maxBatch: number;
  readonly isDatabaseAway: (error: unknown) => boolean;
  /** Called with stored results. The next commit does not wait for work that it starts. */
  readonly onSettled: (settled: readonly SettledObservation[]) => void;
  /** Called for an observation that cannot be stored although others can. It may be added again later. */
  readonly onPoisoned: (entry: PendingObservation, error: unknown) => void;
  /** Called for observations that are rejected while no others of their lane are stored. They are tried again. */
  readonly onRejected: (entries: readonly PendingObservation[], error: unknown) => void;
  readonly sleep: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** Observations that could not be stored, and why. */
interface Uncommitted {
  readonly rest: readonly PendingObservation[];
  readonly error: unknown;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Longest pause while the database rejects every observation of a batch: new arrivals show whether it can store anything. */
const LONGEST_PAUSE_WHEN_REJECTED_MS = 1_000;

export function createSettler(parts: SettlerParts): Settler {
  const { settle, maxBatch, isDatabaseAway, onSettled, onPoisoned, onRejected, sleep, log } = parts;
  const lanes = createSettleLanes(parts);
  const poisoned = new WeakSet<PendingObservation>();
  let unsettled = 0;

  const start = (lane: CommitLane | null) => {
    if (lane === null || lane.isBusy) return;
    lane.isBusy = true;
    setImmediate(() => void run(lane));
  };
  const commit = async (batch: readonly PendingObservation[]): Promise<void> => {
    const results = await settle(batch);
    const pairs = results.flatMap((result, index) => {
      const entry = batch[index];
      return entry === undefined
        ? []
        : [{ job: entry.job, eventId: entry.eventId, known: entry.known, result }];
    });
    unsettled -= batch.length;
    for (const entry of batch) start(lanes.ended(entry));
    onSettled(pairs);
  };
  const holdBack = (entry: PendingObservation, error: unknown) => {
    unsettled -= 1;
    start(lanes.ended(entry));
    poisoned.add(entry);
    onPoisoned(entry, error);
  };
  /** Commits observations one by one, and holds back those that are rejected while others are stored. @returns the rest */
  const commitSingly = async (batch: readonly PendingObservation[]): Promise<Uncommitted | null> => {
    const found = await isolate(batch, (entry) => commit([entry]), isDatabaseAway);
    for (const [entry, error] of found.poisoned) holdBack(entry, error);
    if (found.failure === null) return null;
    const { error } = found.failure;
    const rest = batch.filter((entry) => !found.done.has(entry));
    if (isDatabaseAway(error)) return { rest, error };
    // An observation that was poisoned before needs no other observation to prove that it is at fault.
    for (const entry of rest.filter((one) => poisoned.has(one))) holdBack(entry, error);
    const others = rest.filter((entry) => !poisoned.has(entry));
    return others.length === 0 ? null : { rest: others, error };
  };
  const commitBatch = async (batch: readonly PendingObservation[]): Promise<Uncommitted | null> => {
    try {
      await commit(batch);
      return null;
    } catch (error) {
      return isDatabaseAway(error) ? { rest: batch, error } : commitSingly(batch);
    }
  };
  const run = async (lane: CommitLane) => {
    let failures = 0;
    let size = maxBatch;
    // Remaining observations join the next batch: if others succeed in it, the failing ones are poison. It grows after rejections,
    // because there may be more of these than a commit holds.
    while (lane.pending.length > 0) {
      if (lane.pending.length < size) await lane.pace();
      const uncommitted = await commitBatch(lane.pending.splice(0, size));
      failures = uncommitted === null ? 0 : failures + 1;
      size = uncommitted === null || isDatabaseAway(uncommitted.error) ? maxBatch : size * 2;
      if (uncommitted === null) continue;
      const { rest, error: err } = uncommitted;
      lane.pending.unshift(...rest);
      log.warn({ event: 'settle.failed', failures, size: rest.length, err }, 'settling failed; trying again');
      const isAway = isDatabaseAway(err);
      if (!isAway) onRejected(rest, err);
      const longestMs = isAway ? LONGEST_PAUSE_MS : LONGEST_PAUSE_WHEN_REJECTED_MS;
      await sleep(doublingPauseMs(failures, { firstMs: FIRST_PAUSE_MS, longestMs }));
    }
    lane.isBusy = false;
  };

  return {
    add(entry) {
      unsettled += 1;
      start(lanes.add(entry));
    },
    unsettled: () => unsettled,
  };
}
