import type { ReplayJobId, WorkspaceId } from '@postrider/shared/domain/id';

/** Maximum number of jobs that one process runs at the same time. */
export const MAX_RUNNING_JOBS = 20;
/** Maximum number of jobs of one workspace among them. */
const MAX_OF_WORKSPACE = 10;
/** A job may give way to a waiting one once it has run this long, in milliseconds. */
const TURN_MS = 15_000;

/** A job that this process runs. */
export interface JobSlot {
  readonly jobId: ReplayJobId;
  readonly workspaceId: WorkspaceId;
  /** When it started, by a monotonic clock, in milliseconds. */
  readonly since: number;
  /** Whether it gives up its lease after its step. */
  mustYield: boolean;
}

/** The workspaces that may not start another job here. */
export function workspacesAtLimit(slots: readonly JobSlot[]): readonly WorkspaceId[] {
  return [...slotsByWorkspace(slots)]
    .filter(([, { length }]) => length >= MAX_OF_WORKSPACE)
    .map(([workspaceId]) => workspaceId);
}

/**
 * The job that gives way to one of a waiting workspace, one at a time. A workspace with at least two more jobs than that one
 * gives one up at once. Otherwise the oldest does, after its turn: one of the waiting workspace if that is at its limit.
 *
 * @param slots the oldest first
 */
export function slotToYield(slots: readonly JobSlot[], waiting: WorkspaceId, now: number): JobSlot | null {
  if (slots.some(({ mustYield }) => mustYield)) return null;
  const groups = slotsByWorkspace(slots);
  const own = groups.get(waiting) ?? [];
  const isAtLimit = own.length >= MAX_OF_WORKSPACE;
  if (slots.length < MAX_RUNNING_JOBS && !isAtLimit) return null;
  const largest = [...groups.values()].reduce((one, other) => (other.length > one.length ? other : one), own);
  if (!isAtLimit && largest.length >= own.length + 2) return largest[0] ?? null;
  const [oldest] = isAtLimit ? own : slots;
  return oldest !== undefined && now - oldest.since >= TURN_MS ? oldest : null;
}

function slotsByWorkspace(slots: readonly JobSlot[]): ReadonlyMap<WorkspaceId, readonly JobSlot[]> {
  return Map.groupBy(slots, ({ workspaceId }) => workspaceId);
}
