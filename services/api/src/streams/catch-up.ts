import { type PartitionReader, PositionLost, type Positions } from '@postrider/shared/kafka/partition-reader';
import { createFairQueue } from '@postrider/shared/runtime/fair-queue';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { distance, earliest, hasBegun, isBeyond } from './positions.js';
import { createReadPass, type Joining, type Pass, READ_WITHIN_MS, type ReadPassParts } from './read-pass.js';
import { createRecordBudget } from './record-budget.js';

interface CatchUpParts extends ReadPassParts {
  readonly connect: (maxBytes: number) => Promise<PartitionReader>;
  /** The reading for live subscribers, with the positions that it has reached. */
  readonly needLive: () => Promise<{ readonly positions: Positions }>;
}

const MAX_BYTES = 512 * 1024;
/** Limits of concurrent passes. */
const AT_ONCE = { total: 8, perKey: 1, holdMs: 2 * READ_WITHIN_MS };
/** How many records a workspace may make a process read, and how many it gets back per second. */
const BUDGET = { most: 1_000_000, perSecond: 2_000 };

/**
 * Gives subscribers what they have missed. Those of a workspace that join at the same time share a pass, and a workspace has
 * one pass at a time. A workspace that would make the process read too much, or for too long, is reset and continues from now.
 * So is a subscriber that takes little while other workspaces wait.
 */
export function createCatchUp(parts: CatchUpParts): (joining: Joining) => Promise<void> {
  const { monotonicMs, isMember, onCaughtUp } = parts;
  const budget = createRecordBudget({ ...BUDGET, monotonicMs });
  const queue = createFairQueue(AT_ONCE);
  /** Passes that have not begun, by workspace. */
  const next = new Map<string, { readonly joining: Joining[]; readonly done: Promise<void> }>();

  const startNow = (all: readonly Joining[], live: Positions) => {
    for (const { watcher } of all) {
      watcher.from = live;
      watcher.subscriber.reset();
      onCaughtUp(watcher);
    }
  };
  const readPass = createReadPass({ ...parts, areOthersWaiting: queue.isFull, startNow });
  const catchUp = async (workspaceId: string, pass: Pass): Promise<boolean> => {
    if (!budget.take(workspaceId, distance(pass.start, pass.live.positions))) return false;
    const reader = await parts.connect(MAX_BYTES);
    try {
      return await readPass(reader, pass);
    } catch (error) {
      if (error instanceof PositionLost) return false;
      throw error;
    } finally {
      await reader.close().catch(() => {});
    }
  };
  const isLost = (from: Positions, ends: Positions) => isBeyond(from, ends) || hasBegun(from, ends);
  /**
   * Finds subscribers that are past the end of the topic: it was created again, or has lost records. Being past what is read
   * here is not enough, because the process that the subscriber comes from may have read more. Also finds those that come from
   * a process that had not read a partition yet, because it had no leader.
   */
  const findLost = async (all: readonly Joining[], live: Positions): Promise<readonly Joining[]> => {
    if (!all.some(({ from }) => isLost(from, live))) return [];
    const reader = await parts.connect(MAX_BYTES);
    const ends = await reader.ends().finally(() => reader.close().catch(() => {}));
    return all.filter(({ from }) => isLost(from, ends));
  };
  const runPass = async (workspaceId: string, all: readonly Joining[]) => {
    const members = all.filter(({ watcher }) => isMember(watcher.subscriber));
    if (members.length === 0) return;
    const live = await parts.needLive();
    const lost = await findLost(members, live.positions);
    startNow(lost, live.positions);
    const joining = new Set(members.filter((one) => !lost.includes(one)));
    if (joining.size === 0) return;
    for (const { watcher, from } of joining) watcher.from = from;
    const wanted = [...joining].map(({ from }) => from);
    if (await catchUp(workspaceId, { joining, live, start: earliest(wanted, live.positions.keys()) })) return;
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
