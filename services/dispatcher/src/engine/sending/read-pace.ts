import { LRUCache } from 'lru-cache';

/** Estimates from recent reads of an endpoint's rows how large they are and how many are worth reading ahead. */
export interface ReadPace {
  /** The expected size of a row, in bytes. */
  bytesOf(endpointId: string): number;
  /** How many rows the endpoint is expected to start within a second. */
  ahead(endpointId: string): number;
  /** Records the sizes of rows that were read, in bytes, by endpoint. */
  add(sizes: ReadonlyMap<string, readonly number[]>): void;
}

interface Endpoint {
  /** The largest row of the last read. */
  readonly bytes: number;
  readonly ahead: number;
  /** Rows read from `since` on. */
  readonly rows: number;
  readonly since: number;
}

/** Maximum number of endpoints whose pace is remembered. */
const MAX_ENDPOINTS = 10_000;
/** Assumed size of a row before one was read, in bytes. */
const UNKNOWN_BYTES = 256 * 1_024;
/** Number of rows read ahead before the pace is known. */
const FIRST_AHEAD = 16;
/** Reads within this time count as one, in milliseconds: a few jobs that start together say nothing about the pace. */
const PACE_MS = 250;
/** After this time without a read the pace is unknown again, in milliseconds. */
const FORGOTTEN_MS = 10_000;
const AHEAD_MS = 1_000;

export function createReadPace(monotonicMs: () => number): ReadPace {
  const endpoints = new LRUCache<string, Endpoint>({ max: MAX_ENDPOINTS });
  /** A row that was read is started, or outdated after more than a second. So the rows since the last pace show the next one. */
  const next = (before: Endpoint | undefined, rows: number, time: number) => {
    if (before === undefined || time - before.since > FORGOTTEN_MS)
      return { ahead: FIRST_AHEAD, rows, since: time };
    const elapsed = time - before.since;
    if (elapsed < PACE_MS) return { ...before, rows: before.rows + rows };
    return { ahead: Math.floor((before.rows * AHEAD_MS) / elapsed), rows, since: time };
  };
  return {
    bytesOf: (endpointId) => endpoints.get(endpointId)?.bytes ?? UNKNOWN_BYTES,
    ahead: (endpointId) => endpoints.get(endpointId)?.ahead ?? FIRST_AHEAD,
    add(sizes) {
      const time = monotonicMs();
      for (const [endpointId, rows] of sizes) {
        const state = next(endpoints.get(endpointId), rows.length, time);
        endpoints.set(endpointId, { ...state, bytes: Math.max(...rows) });
      }
    },
  };
}
