export interface LookUpLimits {
  /** Look-ups that hold a slot at the same time. */
  readonly total: number;
  /** Slots of one workspace. */
  readonly perWorkspace: number;
  /** How long a look-up holds its slot at most, in milliseconds. It may go on without one. */
  readonly holdMs: number;
}

export interface LookUpQueue {
  /** Calls `start` as soon as a slot is free and it is the workspace's turn. */
  run(workspaceId: string, start: () => Promise<unknown>): void;
}

interface Lane {
  readonly workspaceId: string;
  readonly waiting: (() => Promise<unknown>)[];
  held: number;
}

/**
 * Limits concurrent look-ups for each workspace and in total. Workspaces take turns, so that one with many names delays
 * another by one look-up. A slot is free again when its look-up ends, and after `holdMs` at the latest.
 */
export function createLookUpQueue({ total, perWorkspace, holdMs }: LookUpLimits): LookUpQueue {
  const lanes = new Map<string, Lane>();
  /** Lanes that may start a look-up, in their turn. */
  const ready = new Set<Lane>();
  let held = 0;

  const update = (lane: Lane) => {
    if (lane.waiting.length > 0 && lane.held < perWorkspace) ready.add(lane);
    if (lane.waiting.length === 0 && lane.held === 0) lanes.delete(lane.workspaceId);
  };
  const free = (lane: Lane) => {
    lane.held -= 1;
    held -= 1;
    update(lane);
    startReady();
  };
  const hold = (lane: Lane, work: Promise<unknown>) => {
    let holds = true;
    const release = () => {
      if (!holds) return;
      holds = false;
      clearTimeout(timer);
      free(lane);
    };
    const timer = setTimeout(release, holdMs);
    work.then(release, release);
  };
  const startReady = () => {
    while (held < total) {
      const [lane] = ready;
      if (lane === undefined) return;
      ready.delete(lane);
      const start = lane.waiting.shift();
      if (start === undefined) continue;
      held += 1;
      lane.held += 1;
      update(lane);
      hold(lane, start());
    }
  };
  return {
    run(workspaceId, start) {
      const lane = lanes.get(workspaceId) ?? { workspaceId, waiting: [], held: 0 };
      lanes.set(workspaceId, lane);
      lane.waiting.push(start);
      update(lane);
      startReady();
    },
  };
}
