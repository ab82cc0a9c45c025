import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import { bytesOfTarget } from '@postrider/shared/domain/endpoint-size';
import type { Job } from '../jobs/job.js';
import type { LoadedRow } from './loaded-row.js';
import type { CountedRows, UnstartedRow } from './unstarted-rows.js';

/** The row and the endpoint of a job that was not started yet. */
export interface KnownRow {
  readonly row: LoadedRow;
  readonly endpoint: EndpointTarget;
  /** When the read of the endpoint began, which is after the job's cause; monotonic, in milliseconds. */
  readonly endpointReadAt: number;
  /** Whether more rows of its endpoint are read when it starts. */
  readonly readsAhead: boolean;
}

/** Rows in memory before their jobs start. Each is used once, because it changes from then on. */
export interface KnownRows {
  /** Keeps a row if there is room. @param bytes without its endpoint */
  keep(job: Job, row: KnownRow, bytes: number): void;
  /** Null if it is not kept, or was kept for too long. */
  get(job: Job): KnownRow | null;
  remove(job: Job): void;
  /** How many rows of the given size, in bytes, still fit. */
  roomFor(bytes: number): number;
  /** Reserves room for rows that are being read. @returns a function that releases it */
  reserve(bytes: number): () => void;
  size(): number;
  clear(): void;
}

/** How long a row is kept, in milliseconds. Only its owner changes it, but a job that waits longer reads it again. */
const KEPT_MS = 10_000;
/** How often outdated rows are removed, in milliseconds: iteration passes the places of the entries that were removed. */
const REMOVED_EVERY_MS = 100;
const MAX_BYTES = 8 * 1_024 * 1_024;

interface KnownRowsParts {
  /** Counts the rows that are handed over. */
  readonly unstartedRows: Pick<CountedRows, 'add' | 'remove'>;
  readonly monotonicMs: () => number;
}

interface Entry {
  /** Null once it is removed: the old table of a map keeps its entries until a full garbage collection. */
  row: KnownRow | null;
  /** With its endpoint, which may be in memory for this row alone. */
  readonly bytes: number;
  readonly keptUntil: number;
  /** Null if it was not handed over. */
  readonly unstarted: UnstartedRow | null;
}

export function createKnownRows({ unstartedRows, monotonicMs }: KnownRowsParts): KnownRows {
  // By job, not by its key: a job that was dropped and added again has no row. A Map keeps the order of insertion, which is
  // also the order of expiry.
  const entries = new Map<Job, Entry>();
  let total = 0;
  let reserved = 0;
  let outdatedRemovedAt = Number.NEGATIVE_INFINITY;
  const remove = (job: Job) => {
    const entry = entries.get(job);
    if (entry === undefined) return;
    entries.delete(job);
    entry.row = null;
    total -= entry.bytes;
    if (entry.unstarted !== null) unstartedRows.remove(entry.unstarted);
  };
  const removeOutdated = () => {
    const time = monotonicMs();
    if (time - outdatedRemovedAt < REMOVED_EVERY_MS) return;
    outdatedRemovedAt = time;
    for (const [job, { keptUntil }] of entries) {
      if (keptUntil > time) return;
      remove(job);
    }
  };
  const free = () => MAX_BYTES - total - reserved;
  const roomFor = (bytes: number) => {
    removeOutdated();
    return Math.floor(free() / bytes);
  };
  return {
    reserve(bytes) {
      reserved += bytes;
      return () => {
        reserved -= bytes;
      };
    },
    keep(job, row, bytes) {
      const size = bytes + bytesOfTarget(row.endpoint);
      if (entries.has(job) || roomFor(size) <= 0) return;
      const unstarted = job.handedOver && unstartedRows.add(job.message.workspaceId, bytes);
      entries.set(job, { row, bytes: size, keptUntil: monotonicMs() + KEPT_MS, unstarted });
      total += size;
    },
    get(job) {
      const entry = entries.get(job);
      return entry !== undefined && entry.keptUntil > monotonicMs() ? entry.row : null;
    },
    remove,
    roomFor,
    size: () => entries.size,
    clear() {
      for (const job of [...entries.keys()]) remove(job);
    },
  };
}
