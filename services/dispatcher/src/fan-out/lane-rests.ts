import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { Piece } from './fill-chunk.js';
import type { Lane } from './workspace-ring.js';

/**
 * Lets a workspace rest after chunks with many rows of one event, as long as others have events and the process is busy. Otherwise
 * an event for 1,000 endpoints would use up the process until it is sent, and the events of all others would be late.
 */
export interface LaneRests {
  /** Begins the rests of lanes whose pieces were stored together. */
  begin(lanes: readonly Lane[], stored: readonly Piece[]): void;
  /** Yields the lanes that do not rest. */
  awake(lanes: Iterable<Lane>): Generator<Lane, void, void>;
}

interface LaneRestsParts {
  /** The share of the whole rest that is kept with the present load of the process, 0 to 1. */
  readonly spacing: () => number;
  readonly monotonicMs: () => number;
}

/** An event with fewer rows in a chunk causes no rest: many small events are regular load. */
const MANY_ROWS = 20;
/** The whole rest for each row, in milliseconds. */
const MS_PER_ROW = 3;
/** An event causes no more rests when it has been open for so long, in milliseconds: rests take no throughput from a lasting load. */
const LONGEST_MS = 2_000;
/** Beside fewer workspaces, the rest is shorter in proportion: hardly anybody would profit from it. */
const MANY_OTHERS = 10;
/** How long a workspace counts after its last turn in a chunk, in milliseconds. */
const ACTIVE_MS = 1_000;

export function createLaneRests({ spacing, monotonicMs }: LaneRestsParts): LaneRests {
  /** When each workspace had its last turn, the earliest first. */
  const active = new Map<WorkspaceId, number>();
  const note = (workspaceId: WorkspaceId, now: number) => {
    active.delete(workspaceId);
    active.set(workspaceId, now);
  };
  const forgetBefore = (time: number) => {
    for (const [earliest, at] of active) {
      if (at >= time) return;
      active.delete(earliest);
    }
  };
  return {
    begin(lanes, stored) {
      const now = monotonicMs();
      for (const { workspaceId } of lanes) note(workspaceId, now);
      forgetBefore(now - ACTIVE_MS);
      const isLarge = ({ event, rows }: Piece) => rows.length >= MANY_ROWS && now - event.readAt < LONGEST_MS;
      const msPerRow = MS_PER_ROW * Math.min((active.size - 1) / MANY_OTHERS, 1) * spacing();
      for (const { event, rows } of stored.filter(isLarge)) {
        const lane = lanes.find(({ workspaceId }) => workspaceId === event.event.payload.workspaceId);
        if (lane !== undefined) lane.restsUntil = Math.max(lane.restsUntil, now) + rows.length * msPerRow;
      }
    },
    *awake(lanes) {
      for (const lane of lanes) if (lane.restsUntil <= monotonicMs()) yield lane;
    },
  };
}
