import type { ReplayJobId, WorkspaceId } from '@postrider/shared/domain/id';
import type { JobKind } from '@postrider/shared/domain/replay-job';
import type { WaitingJob } from '../ports/replay-jobs.js';

/** Maximum number of jobs that one process runs at the same time. */
export const MAX_RUNNING_JOBS = 20;
/** Maximum number of jobs of one workspace among them. */
const MAX_OF_WORKSPACE = 10;
/** Requested jobs take all slots but this many, which jobs of the system keep: they continue while requested ones wait. */
const KEPT_FOR_SYSTEM = 1;
/** A job may give way to a waiting one once it has run this long, in milliseconds. */
const TURN_MS = 15_000;

/** A job that this process runs. */
export interface JobSlot {
  readonly jobId: ReplayJobId;
  readonly workspaceId: WorkspaceId;
  readonly kind: JobKind;
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

/** The kind of job that goes first when one is started: requested ones, unless they have all slots but those kept for the system. */
export function kindToStart(slots: readonly JobSlot[]): JobKind {
  const requested = slots.filter(({ kind }) => kind === 'requested');
  const isOnlyRequested = requested.length === slots.length;
  return isOnlyRequested && slots.length >= MAX_RUNNING_JOBS - KEPT_FOR_SYSTEM ? 'system' : 'requested';
}

/**
 * The job that gives way to a waiting one, one at a time. A workspace with at least two more jobs than that of the waiting one
 * gives one up at once. Otherwise the oldest does, after its turn: one of the waiting workspace if that is at its limit.
 *
 * @param slots the oldest first
 */
export function slotToYield(slots: readonly JobSlot[], waiting: WaitingJob, now: number): JobSlot | null {
  if (slots.some(({ mustYield }) => mustYield)) return null;
  const own = slots.filter(({ workspaceId }) => workspaceId === waiting.workspaceId);
  const isAtLimit = own.length >= MAX_OF_WORKSPACE;
  if (slots.length < MAX_RUNNING_JOBS && !isAtLimit) return null;
  const yielding = slotsThatYield(isAtLimit ? own : slots, waiting.kind);
  const groups = [...slotsByWorkspace(yielding).values()];
  const [largest = []] = groups.toSorted((one, other) => other.length - one.length);
  if (!isAtLimit && largest.length >= own.length + 2) return largest[0] ?? null;
  const [oldest] = yielding;
  return oldest !== undefined && now - oldest.since >= TURN_MS ? oldest : null;
}

/** Jobs of the system give way before requested ones, which give way to them only if no job of the system runs. */
function slotsThatYield(slots: readonly JobSlot[], waiting: JobKind): readonly JobSlot[] {
  const { requested = [], system = [] } = Object.groupBy(slots, ({ kind }) => kind);
  switch (waiting) {
    case 'requested':
      return system.length > KEPT_FOR_SYSTEM ? system : requested;
    case 'system':
      return system.length > 0 ? system : requested;
  }
}

function slotsByWorkspace(slots: readonly JobSlot[]): ReadonlyMap<WorkspaceId, readonly JobSlot[]> {
  return Map.groupBy(slots, ({ workspaceId }) => workspaceId);
}
