import type { Delivery } from '@postrider/shared/domain/delivery';
import { distinct } from '@postrider/shared/domain/distinct';
import { type EndpointTarget, targetOf } from '@postrider/shared/domain/endpoint';
import type { DeliveryId } from '@postrider/shared/domain/id';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { nextTurn, type TurnLimit } from '@postrider/shared/runtime/turns';
import type { StoredDelivery } from '../../ports/hand-over.js';
import type { Job } from '../jobs/job.js';
import type { Workload } from '../jobs/workload.js';
import type { LatestStreaks } from '../settling/latest-streaks.js';
import { createKnownRows } from './known-rows.js';
import { type LoadedRow, loadRow, sizeOf } from './loaded-row.js';
import { createReadPace } from './read-pace.js';
import { createRecentEndpoints } from './recent-endpoints.js';
import type { CountedRows } from './unstarted-rows.js';

/** The row and the endpoint of a job; each is null if it does not exist. */
export interface Loaded {
  readonly row: LoadedRow | null;
  readonly endpoint: EndpointTarget | null;
}

/** Returns the row and the endpoint that were read for a job; null if there was no room to read its row. */
export type Load = (job: Job) => Loaded | null;

/** Provides the rows and endpoints of jobs: just stored, read ahead, or read from the database. */
export interface Loader {
  /** Returns a job's row and endpoint from memory, once; null if the database must be read. */
  atHand(job: Job): Loaded | null;
  /** Reads the rows that are not in memory, and rows of the jobs that come next. */
  load(jobs: readonly Job[]): Promise<Load>;
  /** Keeps the row of a new job until it starts. */
  keep(job: Job, stored: StoredDelivery): void;
  hasRoom(bytes: number): boolean;
  /** Whether rows are in memory. */
  hasRows(): boolean;
  /** Forgets all rows: other processes may have changed them. */
  forget(): void;
}

interface LoaderParts {
  readonly store: Pick<SettlementStore, 'read'>;
  readonly upcoming: Workload['upcoming'];
  readonly latestStreaks: Pick<LatestStreaks, 'latest'>;
  readonly unstartedRows: CountedRows;
  readonly monotonicMs: () => number;
  /** Splits serialising large payloads into turns of the event loop. */
  readonly turn: TurnLimit;
}

/** Maximum number of rows in one read, including those of jobs that come next. */
const ROWS = 100;
/** If at least this many rows are read ahead, the start of the middle one triggers the next read. */
const STEADY_ROWS = 16;
/** Maximum size of the rows read ahead in one read, in bytes. */
const BYTES_AHEAD = 4 * 1_024 * 1_024;

export function createLoader(parts: LoaderParts): Loader {
  const { store, upcoming, latestStreaks, monotonicMs, turn } = parts;
  const rows = createKnownRows(parts);
  const recentEndpoints = createRecentEndpoints({ latestStreaks, monotonicMs });
  const pace = createReadPace(monotonicMs);
  /** Jobs whose rows are being read ahead: other reads leave them out. */
  const onTheWay = new Set<Job>();
  const readingAhead = new Set<string>();
  /** Whether there was no room for some rows of the last read: until there is, none are read ahead. */
  let hasExceeded = false;
  let generation = 0;

  /** Reserves room for rows that are read ahead, and excludes them from other reads. @returns a function that ends both */
  const reserve = (coming: readonly Job[]) => {
    const expected = coming.map(({ message }) => pace.bytesOf(message.endpointId));
    const release = rows.reserve(expected.reduce((sum, size) => sum + size, 0));
    for (const job of coming) onTheWay.add(job);
    return () => {
      release();
      for (const job of coming) onTheWay.delete(job);
    };
  };
  /** Keeps the rows that were read ahead for an endpoint's jobs. */
  const keepAhead = (next: readonly Job[], loaded: Load, endpointReadAt: number) => {
    const middle = next.length < STEADY_ROWS ? -1 : next.length >> 1;
    for (const [index, job] of next.entries()) {
      const { row = null, endpoint = null } = loaded(job) ?? {};
      // The row of a job that has started or was dropped meanwhile would only expire.
      if (job.state !== 'queued' || row === null || endpoint === null) continue;
      rows.keep(job, { row, endpoint, endpointReadAt, readsAhead: index === middle }, sizeOf(row));
    }
  };
  /** Reads rows for sending, in several turns of the event loop if that takes long. */
  const loadRows = async (ids: readonly DeliveryId[], from: ReadonlyMap<DeliveryId, Delivery>) => {
    const loaded = new Map<DeliveryId, LoadedRow>();
    for (const id of ids) {
      const delivery = from.get(id);
      if (delivery === undefined) continue;
      // The read that ended first is completed first.
      while (turn.isOver()) await nextTurn();
      loaded.set(id, loadRow(delivery));
    }
    return loaded;
  };
  /** Reads the endpoints of all jobs, and the rows that are not in memory. `jobs` start now, `nextJobs` come next. */
  const read = async (jobs: readonly Job[], nextJobs: readonly (readonly Job[])[]): Promise<Load> => {
    const begun = { at: monotonicMs(), generation };
    const coming = nextJobs.flat();
    const known = new Map(jobs.map((job) => [job, rows.get(job)?.row]));
    const missing = [...jobs.filter((job) => known.get(job) === undefined), ...coming];
    const deliveryIds = distinct(missing.map(({ message }) => message.deliveryId));
    const endpointIds = distinct([...jobs, ...coming].map(({ message }) => message.endpointId));
    const release = reserve(coming);
    const { deliveries, endpoints, unread } = await store.read({ deliveryIds, endpointIds }).finally(release);
    hasExceeded = unread.size > 0;
    // Concurrent reads are combined, so `deliveries` may contain rows of other reads.
    const found = await loadRows(deliveryIds, deliveries);
    if (generation !== begun.generation) return read(jobs, []);
    pace.add(sizesByEndpoint([...found.values()]));
    recentEndpoints.note(endpointIds, endpoints, begun.at);
    const loaded = (job: Job): Loaded | null => {
      const { deliveryId, endpointId } = job.message;
      const row = known.get(job) ?? found.get(deliveryId) ?? null;
      if (row === null && unread.has(deliveryId)) return null;
      return { row, endpoint: endpoints.get(endpointId) ?? null };
    };
    for (const next of nextJobs) keepAhead(next, loaded, begun.at);
    return loaded;
  };
  /** How many rows of an endpoint may be read ahead. @param taken rows that are read in any case */
  const room = (endpointId: string, { taken = 0, endpoints = 1 } = {}) => {
    if (hasExceeded) return 0;
    const size = pace.bytesOf(endpointId);
    const most = Math.min(ROWS - taken, BYTES_AHEAD / size, rows.roomFor(size));
    return Math.max(0, Math.min(Math.floor(most / endpoints), pace.ahead(endpointId)));
  };
  /** The next jobs whose rows are neither in memory nor being read. */
  const comingAfter = (job: Job, count: number) =>
    upcoming(job, count).filter((next) => !onTheWay.has(next) && rows.get(next) === null);
  const readAhead = async (job: Job) => {
    const { endpointId } = job.message;
    const next = comingAfter(job, room(endpointId));
    if (next.length === 0 || readingAhead.has(endpointId)) return;
    readingAhead.add(endpointId);
    // After a failure, the jobs read their rows when they start.
    await read([], [next]).catch(() => {});
    readingAhead.delete(endpointId);
  };

  return {
    atHand(job) {
      const known = rows.get(job);
      const endpoint = known && recentEndpoints.current(known);
      if (known === null || endpoint === null) return null;
      rows.remove(job);
      if (known.readsAhead) void readAhead(job);
      return { row: known.row, endpoint };
    },
    async load(jobs) {
      const lastOf = new Map(jobs.map((job) => [job.message.endpointId, job]));
      const among = { taken: jobs.length, endpoints: lastOf.size };
      const next = [...lastOf].map(([endpointId, job]) => comingAfter(job, room(endpointId, among)));
      const result = await read(jobs, next);
      for (const job of jobs) rows.remove(job);
      return result;
    },
    keep(job, { delivery, endpoint, endpointReadAt, bytes }) {
      const row = loadRow(delivery);
      rows.keep(job, { row, endpoint: targetOf(endpoint), endpointReadAt, readsAhead: false }, bytes);
    },
    hasRoom: (bytes) => rows.roomFor(bytes) > 0,
    hasRows: () => rows.size() > 0,
    forget() {
      generation += 1;
      rows.clear();
      recentEndpoints.clear();
    },
  };
}

function sizesByEndpoint(rows: readonly LoadedRow[]): ReadonlyMap<string, readonly number[]> {
  const sizes = new Map<string, number[]>();
  for (const row of rows) {
    const own = sizes.get(row.delivery.endpointId) ?? [];
    own.push(sizeOf(row));
    sizes.set(row.delivery.endpointId, own);
  }
  return sizes;
}
