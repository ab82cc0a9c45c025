import type { PacedWhen } from '@postrider/shared/runtime/pacer';
import type { PendingObservation } from './pending-observation.js';

/** Observations that are stored one batch after the other. */
export interface CommitLane {
  pending: PendingObservation[];
  isBusy: boolean;
  /** Resolves when the next commit may start. */
  readonly pace: () => Promise<void>;
}

/** Assigns observations to lanes. Those of an endpoint are never in two lanes at once, so that their order is kept. */
export interface SettleLanes {
  /** Adds an observation to its lane. @returns the lane; null if the observation waits for earlier ones of its endpoint */
  add(entry: PendingObservation): CommitLane | null;
  /** The observation is stored, or held back. @returns the lane of observations that waited for it; null if none did */
  ended(entry: PendingObservation): CommitLane | null;
}

/** The observations of an endpoint that have not ended. */
interface InUse {
  lane: CommitLane;
  /** Observations in the lane. */
  entries: number;
  /** Observations that need a transaction, or follow one that does, while earlier ones are still stored without one. */
  waiting: PendingObservation[];
}

export interface SettleLanesParts {
  /** Number of lanes of each kind. An endpoint always uses the same one, so that concurrent transactions do not conflict. */
  readonly lanes: number;
  /** Whether an observation is expected to need no transaction. */
  readonly isAlone: (entry: PendingObservation) => boolean;
  /** Creates the pacer of a lane. */
  readonly createPacer: (everyMs: number, when: PacedWhen) => () => Promise<void>;
}

/**
 * Minimum time between the starts of a lane's commits, in milliseconds, so that observations share updates. Receivers do not wait
 * for them: a POST that has ended leaves its slot at once.
 */
const GATHER_MS = 50;
/** GATHER_MS for transactions in a busy process: each costs as much as several updates, however few attempts it stores. */
const GATHER_TOGETHER_MS = 100;

export function createSettleLanes({ lanes, isAlone, createPacer }: SettleLanesParts): SettleLanes {
  const create = (everyMs: number, when: PacedWhen) =>
    Array.from(
      { length: lanes },
      (): CommitLane => ({ pending: [], isBusy: false, pace: createPacer(everyMs, when) }),
    );
  const [alone, together] = [create(GATHER_MS, 'always'), create(GATHER_TOGETHER_MS, 'busy')];
  const inUse = new Map<string, InUse>();
  const laneIn = (some: readonly CommitLane[], endpointId: string): CommitLane => {
    const lane = some[indexOf(endpointId, lanes)];
    if (lane === undefined) throw new Error('a settler needs a lane');
    return lane;
  };
  return {
    add(entry) {
      const { endpointId } = entry.observation;
      const used = inUse.get(endpointId);
      const needsTransaction = !isAlone(entry);
      // A transaction may take long, and observations of other endpoints must not wait for it.
      if (
        used !== undefined &&
        (used.waiting.length > 0 || (needsTransaction && alone.includes(used.lane)))
      ) {
        used.waiting.push(entry);
        return null;
      }
      const lane = used?.lane ?? laneIn(needsTransaction ? together : alone, endpointId);
      if (used === undefined) inUse.set(endpointId, { lane, entries: 1, waiting: [] });
      else used.entries += 1;
      lane.pending.push(entry);
      return lane;
    },
    ended({ observation: { endpointId } }) {
      const used = inUse.get(endpointId);
      if (used === undefined) return null;
      used.entries -= 1;
      if (used.entries > 0) return null;
      inUse.delete(endpointId);
      if (used.waiting.length === 0) return null;
      const lane = laneIn(together, endpointId);
      inUse.set(endpointId, { lane, entries: used.waiting.length, waiting: [] });
      lane.pending.push(...used.waiting);
      return lane;
    },
  };
}

/** Identifiers end in random or hashed characters, which distribute evenly enough. */
function indexOf(endpointId: string, lanes: number): number {
  return (
    (endpointId.charCodeAt(endpointId.length - 1) + endpointId.charCodeAt(endpointId.length - 2)) % lanes
  );
}
