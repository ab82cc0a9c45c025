import { type PartitionReader, PositionLost, type Positions } from '@postrider/shared/kafka/partition-reader';
import { createFairQueue } from '@postrider/shared/runtime/fair-queue';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { behind, distance, earliest, furthest, isPast } from './positions.js';
import { createRecordBudget } from './record-budget.js';
import {
  createWatchers,
  type Subscriber,
  type Watcher,
  type Watchers,
  type WatchersParts,
} from './watchers.js';

/** A subscriber that is given the records stored after `from` before new ones. */
export interface Joining {
  readonly watcher: Watcher;
  readonly from: Positions;
}

export interface CatchUpParts extends WatchersParts {
  readonly connect: (maxBytes: number) => Promise<PartitionReader>;
  /** The reading for live subscribers, with the positions that it has reached. */
  readonly needLive: () => Promise<{ readonly positions: Positions }>;
  readonly isMember: (subscriber: Subscriber) => boolean;
  /** Called once a watcher has everything before its positions, in the same turn, so that it misses nothing. */
  readonly onCaughtUp: (watcher: Watcher) => void;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly monotonicMs: () => number;
}

/** One reading for the subscribers of a workspace that join together. */
interface Pass {
  /** Without those that have left, or were reset. */
  readonly joining: Set<Joining>;
  readonly live: { readonly positions: Positions };
  readonly start: Positions;
}

/** Where a pass reads, and whom it gives what it reads. */
interface Reading {
  readonly reader: PartitionReader;
  readonly past: Watchers;
  readonly until: number;
  /** How long it has waited for subscribers that were not ready. */
  waitedMs: number;
}

const WAIT_MS = 100;
const MAX_BYTES = 512 * 1024;
/** For one workspace; subscribers with slow clients are served more slowly. */
const RECORDS_PER_SECOND = 20_000;
const WITHIN_MS = 60_000;
/** How long a pass may have waited for its subscribers, all times together, when other workspaces wait for a pass. */
const PATIENCE_MS = 5_000;
/** Limits of concurrent passes. */
const AT_ONCE = { total: 8, perKey: 1, holdMs: 2 * WITHIN_MS };
/** How many records a workspace may make a process read, and how many it gets back per second. */
const BUDGET = { most: 1_000_000, perSecond: 2_000 };

/**
 * Gives subscribers what they have missed. Those of a workspace that join at the same time share a pass, and a workspace has
 * one pass at a time. A workspace that would make the process read too much, or for too long, is reset and continues from now.
 * So is a subscriber that takes little while other workspaces wait.
 */
export function createCatchUp(parts: CatchUpParts): (joining: Joining) => Promise<void> {
  const { sleep, monotonicMs, isMember, onCaughtUp } = parts;
  const budget = createRecordBudget({ ...BUDGET, monotonicMs });
  const queue = createFairQueue(AT_ONCE);
  /** Passes that have not begun, by workspace. */
  const next = new Map<string, { readonly joining: Joining[]; readonly done: Promise<void> }>();

  /** Does not wait until everything is given: a function that waits keeps its variables, here the fetch. */
  const giveNext = async ({ reader, past }: Reading, missing: Positions, before: Positions) => {
    const { records, positions } = await reader.fetch(missing, WAIT_MS);
    const given = past.give(records, before);
    return { count: records.length, given, positions: new Map([...before, ...positions]) };
  };
  const startNow = (all: readonly Joining[], live: Positions) => {
    for (const { watcher } of all) {
      watcher.from = live;
      watcher.subscriber.reset();
      onCaughtUp(watcher);
    }
  };
  /** Nothing more is given to these. */
  const drop = ({ joining }: Pass, past: Watchers, some: readonly Joining[]) => {
    for (const one of some) {
      past.remove(one.watcher.subscriber);
      joining.delete(one);
    }
  };
  /** Returns false if it takes too long. Subscribers that are not ready are reset if others have to wait for them. */
  const untilGiven = async (given: Promise<void>, pass: Pass, reading: Reading): Promise<boolean> => {
    const isGiven = given.then(() => true);
    while (!(await withTimeout(isGiven, WAIT_MS, async () => false)) && pass.joining.size > 0) {
      if (monotonicMs() > reading.until) return false;
      reading.waitedMs += WAIT_MS;
      if (reading.waitedMs < PATIENCE_MS || !queue.isFull()) continue;
      const slow = [...pass.joining].filter(({ watcher }) => watcher.subscriber.readiness() !== null);
      drop(pass, reading.past, slow);
      startNow(slow, pass.live.positions);
    }
    return true;
  };
  /** Returns false if the subscribers must be reset. */
  const readMissed = async (pass: Pass, reading: Reading): Promise<boolean> => {
    const { joining, live, start } = pass;
    let at = start;
    for (let missing = behind(at, live.positions); missing.size > 0; missing = behind(at, live.positions)) {
      const gone = [...joining].filter(({ watcher }) => !isMember(watcher.subscriber));
      drop(pass, reading.past, gone);
      if (joining.size === 0) return true;
      if (monotonicMs() > reading.until) return false;
      const { count, given, positions } = await giveNext(reading, missing, at);
      if (!(await untilGiven(given, pass, reading))) return false;
      at = positions;
      if (count > 0) await sleep((count / RECORDS_PER_SECOND) * 1_000);
    }
    for (const { watcher } of joining) {
      watcher.from = furthest(at, watcher.from ?? at);
      onCaughtUp(watcher);
    }
    return true;
  };
  const readWith = async (reader: PartitionReader, pass: Pass): Promise<boolean> => {
    const past = createWatchers(parts);
    for (const { watcher } of pass.joining) past.add(watcher);
    try {
      return await readMissed(pass, { reader, past, until: monotonicMs() + WITHIN_MS, waitedMs: 0 });
    } finally {
      for (const { watcher } of pass.joining) past.remove(watcher.subscriber);
    }
  };
  const catchUp = async (workspaceId: string, pass: Pass): Promise<boolean> => {
    if (!budget.take(workspaceId, distance(pass.start, pass.live.positions))) return false;
    const reader = await parts.connect(MAX_BYTES);
    try {
      return await readWith(reader, pass);
    } catch (error) {
      if (error instanceof PositionLost) return false;
      throw error;
    } finally {
      await reader.close().catch(() => {});
    }
  };
  /**
   * Finds subscribers that are past the end of the topic: it was created again, or has lost records. Being past what is read
   * here is not enough, because the process that the subscriber comes from may have read more.
   */
  const findLost = async (all: readonly Joining[], live: Positions): Promise<readonly Joining[]> => {
    if (all.every(({ from }) => isPast(live, from))) return [];
    const reader = await parts.connect(MAX_BYTES);
    const ends = await reader.ends().finally(() => reader.close().catch(() => {}));
    return all.filter(({ from }) => !isPast(ends, from));
  };
  const runPass = async (workspaceId: string, all: readonly Joining[]) => {
    const members = all.filter(({ watcher }) => isMember(watcher.subscriber));
    if (members.length === 0) return;
    const live = await parts.needLive();
    const lost = await findLost(members, live.positions);
    startNow(lost, live.positions);
    const joining = new Set(members.filter((one) => !lost.includes(one)));
    if (joining.size === 0) return;
    // Partitions that `from` does not name were added later: they begin with what is stored from now on.
    for (const { watcher, from } of joining) watcher.from = new Map([...live.positions, ...from]);
    const wanted = [...joining].map(({ from }) => from);
    if (await catchUp(workspaceId, { joining, live, start: earliest(wanted, live.positions) })) return;
    startNow([...joining], live.positions);
  };
  const planPass = (workspaceId: string) => {
    const joining: Joining[] = [];
    const run = async () => {
      // Subscribers that join in the same turn of the event loop share it.
      await nextTurn();
      next.delete(workspaceId);
      await runPass(workspaceId, joining);
    };
    const pass = { joining, done: queue.run(workspaceId, run) };
    next.set(workspaceId, pass);
    return pass;
  };
  return (joining) => {
    const { workspaceId } = joining.watcher.subscriber;
    const pass = next.get(workspaceId) ?? planPass(workspaceId);
    pass.joining.push(joining);
    return pass.done;
  };
}
