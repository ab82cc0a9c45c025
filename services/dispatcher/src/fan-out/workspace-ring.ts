import { asId, type WorkspaceId } from '@postrider/shared/domain/id';
import type { OpenEvent } from './open-event.js';
import type { Page } from './page.js';

/** The open events of one workspace, in their order of arrival. */
export interface Lane {
  readonly workspaceId: WorkspaceId;
  readonly events: readonly OpenEvent[];
  /** The last page of its subscribers that was read. */
  page: Page | null;
}

/**
 * The workspaces with open events take turns. A workspace that had nothing to do goes first, once, so that a lone event does
 * not wait for the backlogs of others. It keeps its place among the others until its next turn, even if it has nothing to do
 * then, so that going first cannot be repeated at will. A workspace whose turn came when the chunk was full also goes first.
 */
export interface WorkspaceRing {
  add(event: OpenEvent): void;
  /** Removes the completely planned events of a lane. */
  removePlanned(lane: Lane): void;
  /** Removes one event. It can be added again. */
  remove(event: OpenEvent): void;
  /** Yields the lanes that have events, each once, in turn. A lane that was yielded is last from then on. */
  turns(): Generator<Lane, void, void>;
  /** Lets lanes go first in the next turns, because they could not use their last one. */
  giveBack(lanes: readonly Lane[]): void;
  removeUnwanted(): void;
  /** The number of events. */
  size(): number;
}

export function createWorkspaceRing(): WorkspaceRing {
  // A Map keeps the order of insertion: its first key has waited longest.
  /** The lanes that go first: those that had nothing to do, and those that were given back. */
  const first = new Map<WorkspaceId, MutableLane>();
  const served = new Map<WorkspaceId, MutableLane>();
  let size = 0;
  let arrivals = 0;
  const laneOf = (workspaceId: WorkspaceId) => first.get(workspaceId) ?? served.get(workspaceId);
  const keep = (lane: MutableLane | undefined, isKept: (event: OpenEvent) => boolean) => {
    if (lane === undefined) return;
    // In place: a lane is older than its events, and an array that it no longer uses would keep them until a full collection.
    let kept = 0;
    for (const event of lane.events) if (isKept(event)) lane.events[kept++] = event;
    size += kept - lane.events.length;
    lane.events.length = kept;
    if (kept === 0) lane.page = null;
  };
  return {
    add(event) {
      const workspaceId = workspaceOf(event);
      let lane = laneOf(workspaceId);
      if (lane === undefined) {
        lane = { workspaceId, events: [], page: null };
        first.set(workspaceId, lane);
      }
      arrivals += 1;
      event.arrival = arrivals;
      lane.events.push(event);
      size += 1;
    },
    removePlanned: ({ workspaceId }) => keep(laneOf(workspaceId), ({ completion }) => !completion.isPlanned),
    remove: (event) => keep(laneOf(workspaceOf(event)), (one) => one !== event),
    *turns() {
      const servedBefore = served.size;
      yield* takeTurns(first, first.size, served);
      yield* takeTurns(served, servedBefore, served);
    },
    giveBack(lanes) {
      const others = [...first];
      first.clear();
      for (const { workspaceId } of lanes) {
        const lane = served.get(workspaceId);
        if (lane === undefined) continue;
        served.delete(workspaceId);
        first.set(workspaceId, lane);
      }
      for (const [workspaceId, lane] of others) first.set(workspaceId, lane);
    },
    removeUnwanted() {
      for (const lane of [...first.values(), ...served.values()]) keep(lane, (event) => event.isWanted());
    },
    size: () => size,
  };
}

function workspaceOf({ event }: OpenEvent): WorkspaceId {
  return asId('workspace', event.payload.workspaceId);
}

interface MutableLane extends Lane {
  readonly events: OpenEvent[];
}

/** Moves the first lanes of a queue to the end of another one and yields those with events. Forgets the others. */
function* takeTurns(
  queue: Map<WorkspaceId, MutableLane>,
  count: number,
  behind: Map<WorkspaceId, MutableLane>,
): Generator<Lane, void, void> {
  let left = count;
  for (const [workspaceId, lane] of queue) {
    if (left === 0) return;
    left -= 1;
    queue.delete(workspaceId);
    if (lane.events.length === 0) continue;
    behind.set(workspaceId, lane);
    yield lane;
  }
}
