import type { Delivery } from '@postrider/shared/domain/delivery';
import type { EndpointTarget } from '@postrider/shared/domain/endpoint';
import type { Job } from './job.js';

/** The row and the endpoint of a job that was not started yet. */
export interface KnownRow {
  readonly delivery: Delivery;
  readonly endpoint: EndpointTarget;
  /** When the read of the endpoint began, after the job was caused; monotonic, in milliseconds. */
  readonly endpointReadAt: number;
  /** When it starts, more rows of its endpoint are read. */
  readonly readsAhead: boolean;
}

/** Rows in memory before their jobs start. Each is used once, because it changes from then on. */
export interface KnownRows {
  /** Keeps a row, or renews its endpoint. @returns false if there is no room */
  keep(job: Job, row: KnownRow, bytes: number): boolean;
  /** Null if it is not known, or was not used for too long. */
  get(job: Job): KnownRow | null;
  remove(job: Job): void;
  hasRoom(bytes: number): boolean;
  clear(): void;
}

/** A row is changed only by its owner; a job that waits for longer than this is read again all the same. */
const KEPT_MS = 2_000;
const MAX_BYTES = 16 * 1_024 * 1_024;

interface Entry {
  readonly row: KnownRow;
  readonly bytes: number;
  readonly keptUntil: number;
}

/** @param now monotonic, in milliseconds */
export function createKnownRows(now: () => number, maxBytes = MAX_BYTES): KnownRows {
  // By job, not by its key: a job that was dropped and added again has no row. A Map keeps the order of insertion.
  const entries = new Map<Job, Entry>();
  let total = 0;
  const remove = (job: Job) => {
    total -= entries.get(job)?.bytes ?? 0;
    entries.delete(job);
  };
  const removeOutdated = () => {
    const time = now();
    for (const [job, { keptUntil }] of entries) {
      if (keptUntil > time) return;
      remove(job);
    }
  };
  const hasRoom = (bytes: number) => {
    if (total + bytes > maxBytes) removeOutdated();
    return total + bytes <= maxBytes;
  };
  return {
    keep(job, row, bytes) {
      const entry = entries.get(job) ?? { bytes, keptUntil: now() + KEPT_MS };
      remove(job);
      if (!hasRoom(entry.bytes)) return false;
      entries.set(job, { ...entry, row });
      total += entry.bytes;
      return true;
    },
    get(job) {
      const entry = entries.get(job);
      return entry !== undefined && entry.keptUntil > now() ? entry.row : null;
    },
    remove,
    hasRoom,
    clear() {
      entries.clear();
      total = 0;
    },
  };
}
