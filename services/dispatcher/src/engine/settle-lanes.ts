import type { Entry } from './settler.js';

/** Entries that are stored one batch after the other. */
export interface Lane {
  pending: Entry[];
  busy: boolean;
  /** Resolves when the next commit may start. */
  readonly pace: () => Promise<void>;
}

/** Assigns entries to lanes. Those of an endpoint are never in two lanes at once, so that their order is kept. */
export interface SettleLanes {
  /** The lane of an entry until it has ended. */
  laneOf(entry: Entry): Lane;
  /** The entry is stored, or held back. */
  ended(entry: Entry): void;
}

export interface SettleLanesParts {
  /** Lanes of each kind. An endpoint always uses the same one, so that concurrent transactions do not conflict. */
  readonly lanes: number;
  /** Whether an entry is expected to need no transaction. */
  readonly isAlone: (entry: Entry) => boolean;
  /** Creates the pacer of a lane. */
  readonly createPacer: (everyMs: number) => () => Promise<void>;
}

/** Distance between the starts of a lane's commits in a busy process, so that batches fill. */
const GATHER_MS = 15;
/** The same for transactions: each has the cost of several updates, however few attempts it stores. */
const GATHER_TOGETHER_MS = 100;

export function createSettleLanes({ lanes, isAlone, createPacer }: SettleLanesParts): SettleLanes {
  const create = (everyMs: number) =>
    Array.from({ length: lanes }, (): Lane => ({ pending: [], busy: false, pace: createPacer(everyMs) }));
  const [alone, together] = [create(GATHER_MS), create(GATHER_TOGETHER_MS)];
  const inUse = new Map<string, { readonly lane: Lane; entries: number }>();
  const choose = (entry: Entry): Lane => {
    const lane = (isAlone(entry) ? alone : together)[indexOf(entry.observation.endpointId, lanes)];
    if (lane === undefined) throw new Error('a settler needs a lane');
    return lane;
  };
  return {
    laneOf(entry) {
      const { endpointId } = entry.observation;
      const used = inUse.get(endpointId);
      if (used !== undefined) {
        used.entries += 1;
        return used.lane;
      }
      const lane = choose(entry);
      inUse.set(endpointId, { lane, entries: 1 });
      return lane;
    },
    ended({ observation: { endpointId } }) {
      const used = inUse.get(endpointId);
      if (used === undefined) return;
      used.entries -= 1;
      if (used.entries === 0) inUse.delete(endpointId);
    },
  };
}

/** Identifiers end in random or hashed characters, which distribute evenly enough. */
function indexOf(endpointId: string, lanes: number): number {
  return (
    (endpointId.charCodeAt(endpointId.length - 1) + endpointId.charCodeAt(endpointId.length - 2)) % lanes
  );
}
