import { LRUCache } from 'lru-cache';
import { JobQueue } from './job-queue.js';
import { type Lane, newLane, type Workspace } from './lane.js';
import { noRows } from './row-bytes.js';
import { type KnownEndpoint, nothingKnown } from './standing.js';

/** An endpoint and its workspace. */
export interface EndpointRef {
  readonly endpointId: string;
  readonly workspaceId: string;
}

/** The endpoints and workspaces with work, and what is known of endpoints, even while they have none. */
export interface Lanes<Job> {
  get(endpointId: string): Lane<Job> | undefined;
  workspace(id: string): Workspace | undefined;
  of(endpoint: EndpointRef): Lane<Job>;
  /** Null for an endpoint of which nothing is known. */
  known(endpointId: string): KnownEndpoint | null;
  /** Removes a lane without work. What is known of its endpoint is kept. */
  removeIfIdle(lane: Lane<Job>): void;
  endpoints(): Iterable<string>;
}

interface LanesParts<Job> {
  /** Maximum number of known endpoints; the least recently used are forgotten. */
  readonly maxKnown: number;
  readonly onWorkspaceIdle: (workspace: Workspace) => void;
  readonly isReplay: (job: Job) => boolean;
}

export function createLanes<Job>({ maxKnown, onWorkspaceIdle, isReplay }: LanesParts<Job>): Lanes<Job> {
  const lanes = new Map<string, Lane<Job>>();
  const workspaces = new Map<string, Workspace>();
  const known = new LRUCache<string, KnownEndpoint>({ max: maxKnown });
  const workspaceOf = (id: string): Workspace => {
    const existing = workspaces.get(id);
    if (existing !== undefined) return existing;
    const created = { id, usage: { prompt: 0, lingering: 0 }, rows: noRows(), lanes: 0 };
    workspaces.set(id, created);
    return created;
  };
  const knownOf = (endpointId: string): KnownEndpoint => {
    const existing = known.get(endpointId);
    if (existing !== undefined) return existing;
    const created = nothingKnown();
    known.set(endpointId, created);
    return created;
  };
  return {
    get: (endpointId) => lanes.get(endpointId),
    workspace: (id) => workspaces.get(id),
    of({ endpointId, workspaceId }) {
      const existing = lanes.get(endpointId);
      if (existing !== undefined) return existing;
      const workspace = workspaceOf(workspaceId);
      workspace.lanes += 1;
      const created = newLane<Job>({
        endpointId,
        workspace,
        known: knownOf(endpointId),
        queue: new JobQueue(isReplay),
      });
      lanes.set(endpointId, created);
      return created;
    },
    known: (endpointId) => known.peek(endpointId) ?? null,
    removeIfIdle(lane) {
      if (lane.inFlight > 0 || lane.queue.size > 0 || lanes.get(lane.endpointId) !== lane) return;
      lane.waitsFor = null;
      lanes.delete(lane.endpointId);
      const { workspace } = lane;
      workspace.lanes -= 1;
      if (workspace.lanes > 0) return;
      workspaces.delete(workspace.id);
      onWorkspaceIdle(workspace);
    },
    endpoints: () => lanes.keys(),
  };
}
