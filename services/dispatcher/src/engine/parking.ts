/** A parked endpoint's backlog is its rows, not our memory. This is what is remembered of it. */
interface Parked {
  /** A message was set aside since the last query began: its row may have come after. */
  setAside: boolean;
  querying: boolean;
  /** No query before this time, in milliseconds. */
  nextQueryAt: number;
}

export interface ParkingLot {
  /** Parks an endpoint; nothing happens when it is parked already. */
  park(endpointId: string): void;
  isParked(endpointId: string): boolean;
  /** A message of a parked endpoint was marked done: its row speaks for it. */
  setAside(endpointId: string): void;
  /** The parked endpoints that may be queried now. */
  readyToFeed(now: number): readonly string[];
  queryBegins(endpointId: string): void;
  /** @returns true when the endpoint is parked no longer and should be looked at once more a little later */
  queryEnded(endpointId: string, end: { readonly foundNew: boolean; readonly now: number }): boolean;
  /** After a query that failed. */
  queryFailed(endpointId: string, now: number): void;
  drop(endpointId: string): void;
  size(): number;
}

const PAUSE_AFTER_EMPTY_MS = 1_000;

export function parkingLot(): ParkingLot {
  const parked = new Map<string, Parked>();
  return {
    park(endpointId) {
      if (!parked.has(endpointId))
        parked.set(endpointId, { setAside: false, querying: false, nextQueryAt: 0 });
    },
    isParked: (endpointId) => parked.has(endpointId),
    setAside(endpointId) {
      const entry = parked.get(endpointId);
      if (entry) entry.setAside = true;
    },
    readyToFeed(now) {
      return [...parked]
        .filter(([, one]) => !one.querying && one.nextQueryAt <= now)
        .map(([endpointId]) => endpointId);
    },
    queryBegins(endpointId) {
      const entry = parked.get(endpointId);
      if (entry) Object.assign(entry, { querying: true, setAside: false });
    },
    queryEnded(endpointId, { foundNew, now }) {
      const entry = parked.get(endpointId);
      if (!entry) return false;
      entry.querying = false;
      if (foundNew) return false;
      if (!entry.setAside) return parked.delete(endpointId);
      entry.nextQueryAt = now + PAUSE_AFTER_EMPTY_MS;
      return false;
    },
    queryFailed(endpointId, now) {
      const entry = parked.get(endpointId);
      if (entry)
        Object.assign(entry, { querying: false, setAside: true, nextQueryAt: now + PAUSE_AFTER_EMPTY_MS });
    },
    drop: (endpointId) => {
      parked.delete(endpointId);
    },
    size: () => parked.size,
  };
}
