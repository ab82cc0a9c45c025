/** The state of a parked endpoint, whose backlog is read from its rows instead of kept in memory. */
interface Parked {
  /** A message was skipped since the last query began, so its row may be newer than the query. */
  hasSkipped: boolean;
  querying: boolean;
  /** No query before this time, in milliseconds. */
  nextQueryAt: number;
}

export interface ParkingLot {
  /** Parks an endpoint. Does nothing if it is parked already. */
  park(endpointId: string): void;
  isParked(endpointId: string): boolean;
  /** A message of a parked endpoint was marked done without an attempt: its row will be fed instead. */
  messageSkipped(endpointId: string): void;
  /** The parked endpoints that may be queried now. */
  readyToFeed(now: number): readonly string[];
  queryBegins(endpointId: string): void;
  /** @returns true if the endpoint is no longer parked and should be rechecked once a little later */
  queryEnded(endpointId: string, end: { readonly foundNew: boolean; readonly now: number }): boolean;
  queryFailed(endpointId: string, now: number): void;
  unpark(endpointId: string): void;
  size(): number;
}

const PAUSE_AFTER_EMPTY_MS = 1_000;

export function createParkingLot(): ParkingLot {
  const parked = new Map<string, Parked>();
  const update = (endpointId: string, changes: Partial<Parked>) => {
    const entry = parked.get(endpointId);
    if (entry !== undefined) Object.assign(entry, changes);
  };
  return {
    park(endpointId) {
      if (!parked.has(endpointId))
        parked.set(endpointId, { hasSkipped: false, querying: false, nextQueryAt: 0 });
    },
    isParked: (endpointId) => parked.has(endpointId),
    messageSkipped(endpointId) {
      const entry = parked.get(endpointId);
      if (entry !== undefined) entry.hasSkipped = true;
    },
    readyToFeed(now) {
      return [...parked]
        .filter(([, { querying, nextQueryAt }]) => !querying && nextQueryAt <= now)
        .map(([endpointId]) => endpointId);
    },
    queryBegins: (endpointId) => update(endpointId, { querying: true, hasSkipped: false }),
    queryEnded(endpointId, { foundNew, now }) {
      const entry = parked.get(endpointId);
      if (!entry) return false;
      entry.querying = false;
      if (foundNew) return false;
      if (!entry.hasSkipped) return parked.delete(endpointId);
      entry.nextQueryAt = now + PAUSE_AFTER_EMPTY_MS;
      return false;
    },
    queryFailed: (endpointId, now) =>
      update(endpointId, { querying: false, hasSkipped: true, nextQueryAt: now + PAUSE_AFTER_EMPTY_MS }),
    unpark: (endpointId) => {
      parked.delete(endpointId);
    },
    size: () => parked.size,
  };
}
