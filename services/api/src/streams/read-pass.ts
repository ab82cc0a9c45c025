import type { PartitionReader, Positions } from '@postrider/shared/kafka/partition-reader';
import { withTimeout } from '@postrider/shared/runtime/with-timeout';
import { behind, furthest, hasBegun } from './positions.js';
import {
  createWatchers,
  type ReceivedAt,
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

/** One reading for the subscribers of a workspace that join together. */
export interface Pass {
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

/** Where the live reading was at a time. Records before these positions were stored by then. */
interface Seen {
  readonly positions: Positions;
  /** By the monotonic clock. */
  readonly at: number;
}

const WAIT_MS = 100;
/** How long a pass may take, in milliseconds. */
export const READ_WITHIN_MS = 60_000;
/** For one workspace; subscribers with slow clients are served more slowly. */
const RECORDS_PER_SECOND = 20_000;
/** How long a pass may have waited for its subscribers, all times together, when other workspaces wait for a pass. */
const PATIENCE_MS = 5_000;

export interface ReadPassParts extends WatchersParts {
  readonly isMember: (subscriber: Subscriber) => boolean;
  /** Called once a watcher has everything before its positions, in the same turn, so that it misses nothing. */
  readonly onCaughtUp: (watcher: Watcher) => void;
  readonly sleep: (ms: number) => Promise<unknown>;
}

interface PassParts extends ReadPassParts {
  /** Whether other workspaces wait for a pass. */
  readonly areOthersWaiting: () => boolean;
  /** Resets subscribers, which then continue from these positions. */
  readonly startNow: (some: readonly Joining[], live: Positions) => void;
}

/** Reads what the subscribers of a pass have missed and gives it to them. Returns false if they must be reset. */
export function createReadPass(parts: PassParts) {
  const { sleep, monotonicMs, isMember, onCaughtUp, areOthersWaiting, startNow } = parts;

  const see = ({ live }: Pass): Seen => ({ positions: live.positions, at: monotonicMs() });
  /** Does not wait until everything is given: a function that waits keeps its variables, here the fetch. */
  const giveNext = async ({ reader, past }: Reading, before: Positions, seen: Seen) => {
    const { records, positions } = await reader.fetch(behind(before, seen.positions), WAIT_MS);
    const given = past.give(records, before, storedBy(seen, monotonicMs()));
    return { count: records.length, given, positions: new Map([...before, ...positions]) };
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
      if (reading.waitedMs < PATIENCE_MS || !areOthersWaiting()) continue;
      const slow = [...pass.joining].filter(({ watcher }) => watcher.subscriber.readiness() !== null);
      drop(pass, reading.past, slow);
      startNow(slow, pass.live.positions);
    }
    return true;
  };
  /**
   * Reads up to the live positions, and again up to those that are reached by then, until there are no others. Returns false if
   * the subscribers must be reset.
   */
  const readMissed = async (pass: Pass, reading: Reading): Promise<boolean> => {
    const { joining, start } = pass;
    let at = start;
    let seen = see(pass);
    while (isBehind(at, seen)) {
      const gone = [...joining].filter(({ watcher }) => !isMember(watcher.subscriber));
      drop(pass, reading.past, gone);
      if (joining.size === 0) return true;
      if (monotonicMs() > reading.until || hasBegun(at, seen.positions)) return false;
      const { count, given, positions } = await giveNext(reading, at, seen);
      if (!(await untilGiven(given, pass, reading))) return false;
      at = positions;
      if (count > 0) await sleep((count / RECORDS_PER_SECOND) * 1_000);
      if (!isBehind(at, seen)) seen = see(pass);
    }
    for (const { watcher } of joining) {
      watcher.from = furthest(at, watcher.from ?? at);
      onCaughtUp(watcher);
    }
    return true;
  };
  return async (reader: PartitionReader, pass: Pass): Promise<boolean> => {
    const past = createWatchers(parts);
    for (const { watcher } of pass.joining) past.add(watcher);
    try {
      return await readMissed(pass, { reader, past, until: monotonicMs() + READ_WITHIN_MS, waitedMs: 0 });
    } finally {
      for (const { watcher } of pass.joining) past.remove(watcher.subscriber);
    }
  };
}

function isBehind(at: Positions, seen: Seen): boolean {
  return behind(at, seen.positions).size > 0;
}

/** Records that the live reading had not reached yet were stored when they were fetched, at the latest. */
function storedBy(seen: Seen, fetchedAt: number): ReceivedAt {
  return ({ partition, offset }) => (offset < (seen.positions.get(partition) ?? 0) ? seen.at : fetchedAt);
}
