import type { Backlog } from '@postrider/shared/ports/backlog';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { countByKey } from '@postrider/shared/runtime/count-by-key';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import type { Job } from '../jobs/job.js';
import type { JobBudget } from '../jobs/job-budget.js';
import { FEED_CLASSES, type FeedClass, type ParkingLot } from '../jobs/parking.js';
import type { Workload } from '../jobs/workload.js';
import type { EndpointScheduler } from '../scheduler/endpoint-scheduler.js';
import type { EndpointRef } from '../scheduler/lanes.js';
import type { Standing } from '../scheduler/standing.js';

/** Feeds parked endpoints from their rows. */
export interface Feeder {
  /** Queries the rows of parked endpoints with few queued jobs, while there is memory for them. */
  feed(): void;
  /** Starts no more queries and adds no rows from those in progress. */
  stop(): void;
}

interface FeederParts {
  readonly workload: Pick<Workload, 'addFromRow' | 'roomToFeed' | 'pendingOf' | 'dueOf'>;
  readonly scheduler: Pick<EndpointScheduler<Job>, 'queueLimit' | 'standing'>;
  readonly budget: Pick<JobBudget, 'free' | 'hasRoomForUnproven'>;
  readonly parking: ParkingLot;
  readonly backlog: Pick<Backlog, 'due'>;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly isAssigned: (endpointId: string) => boolean;
  /** Called after new jobs were queued. */
  readonly onFed: () => void;
  readonly later: (task: () => void, ms: number) => void;
  readonly log: Log;
}

/** Maximum number of queries in progress. They share commands to the database. */
const MAX_QUERIES = 16;
/**
 * Each class's share of the queries while all classes wait. After a restart nothing is known of healthy endpoints, and
 * thousands of silent ones would otherwise take turns with them.
 */
const SHARES: Readonly<Record<FeedClass, number>> = { proven: 8, new: 6, silent: 2 };
/** Rows per query for an endpoint that answers at once: few if many endpoints are parked, many if few are. */
const ROWS = { least: 16, most: 256 };
/** Rows per query for an endpoint that may have one POST in flight. */
const ROWS_ON_PROBATION = 2;
const ROWS_WHILE_SILENT = 1;
/**
 * From this many pending jobs of an endpoint on, a query does not read the rows of them all, only the oldest. A row whose message
 * was lost could not start before those that are older, and is among the oldest once these have ended.
 */
const LONG_QUEUE = 256;
/** Time from unparking an endpoint until it is checked once more, in milliseconds. */
const RECHECK_MS = 5_000;

/** @param free jobs that may be added, @param ready endpoints that wait for their query */
export function rowsToFeed(standing: Standing, { free, ready }: { free: number; ready: number }): number {
  switch (standing) {
    case 'silent':
      return ROWS_WHILE_SILENT;
    case 'new':
    case 'suspect':
      return ROWS_ON_PROBATION;
    case 'slow':
      return ROWS.least;
    case 'proven':
      return Math.min(Math.max(Math.floor(free / 2 / (ready + 1)), ROWS.least), ROWS.most);
  }
}

export function createFeeder(parts: FeederParts): Feeder {
  const { workload, scheduler, budget, parking, backlog, clock, isAssigned, monotonicMs } = parts;
  const { onFed, later, log } = parts;
  /** While the database is unavailable, every parked endpoint repeats its query: log that once a minute. */
  const mayLog = createLogThrottle({ monotonicMs });
  const queries: Record<FeedClass, number> = { proven: 0, new: 0, silent: 0 };
  /** Rows that the queries in progress may add, by workspace. */
  const expected = new Map<string, number>();
  let isStopped = false;

  const roomFor = (workspaceId: string) =>
    workload.roomToFeed(workspaceId) - (expected.get(workspaceId) ?? 0);
  const mayFeed = (workspaceId: string) => roomFor(workspaceId) >= ROWS.least;

  const addDueRows = async (endpointId: string, rows: number) => {
    const isLong = workload.pendingOf(endpointId) >= LONG_QUEUE;
    const limit = rows + (isLong ? LONG_QUEUE : workload.dueOf(endpointId));
    const due = await backlog.due(endpointId, clock.now(), limit);
    const workspaceId = due[0]?.workspaceId ?? null;
    if (isStopped || !isAssigned(endpointId)) return { isBehind: false, foundNothingNew: false, workspaceId };
    let added = 0;
    let seen = 0;
    for (const row of due) {
      if (added === rows) break;
      const result = workload.addFromRow(row);
      if (result === 'no room') break;
      if (result === 'added') added += 1;
      seen += 1;
    }
    if (added > 0) onFed();
    // Jobs that were put off have due rows, too. A long queue is queried again once it is short.
    const foundNothingNew = added === 0 && seen === due.length && !isLong;
    const mayHaveMore = isLong ? parking.isBehind(endpointId) : due.length === limit;
    return { isBehind: mayHaveMore || seen < due.length, foundNothingNew, workspaceId };
  };
  /** During a stop the connection to the database may be closed before a query has ended. */
  const logFailure = (endpointId: string, err: unknown) => {
    if (isStopped || !mayLog()) return;
    log.warn(
      { event: 'feed.failed', endpointId, parked: parking.size(), err },
      'the due rows of parked endpoints could not be read; each is tried again after a second',
    );
  };
  const query = async (feedClass: FeedClass, { endpointId, workspaceId }: EndpointRef) => {
    const wanted = rowsToFeed(scheduler.standing(endpointId), {
      free: budget.free(),
      ready: parking.ready(),
    });
    const rows = Math.min(wanted, scheduler.queueLimit(endpointId), roomFor(workspaceId));
    queries[feedClass] += 1;
    countByKey(expected, workspaceId, rows);
    try {
      const found = await addDueRows(endpointId, rows);
      const isUnparked = parking.queryEnded(endpointId, {
        ...found,
        now: monotonicMs(),
        refillBelow: Math.ceil(rows / 4),
      });
      parking.drained(endpointId, workload.pendingOf(endpointId));
      if (isUnparked) later(() => void recheck({ endpointId, workspaceId }), RECHECK_MS);
    } catch (error) {
      logFailure(endpointId, error);
      parking.queryFailed(endpointId, monotonicMs());
    } finally {
      queries[feedClass] -= 1;
      countByKey(expected, workspaceId, -rows);
      feed();
    }
  };
  /** Finds rows whose due time was slightly in the future when the endpoint's last query ran. */
  const recheck = async (endpoint: EndpointRef) => {
    if (isStopped || parking.isParked(endpoint.endpointId) || !isAssigned(endpoint.endpointId)) return;
    const found = await addDueRows(endpoint.endpointId, ROWS_ON_PROBATION).catch(() => ({ isBehind: true }));
    if (found.isBehind) parking.park(endpoint);
  };
  /** Starts a query for the class that uses the least of its share. @returns false if there is none */
  const queryNext = (): boolean => {
    const running = FEED_CLASSES.reduce((sum, one) => sum + queries[one], 0);
    if (isStopped || running >= MAX_QUERIES || budget.free() < ROWS.least) return false;
    const use = (one: FeedClass) => queries[one] / SHARES[one];
    for (const feedClass of [...FEED_CLASSES].sort((one, other) => use(one) - use(other))) {
      const endpoint =
        feedClass === 'proven' || budget.hasRoomForUnproven() ? parking.next(feedClass, mayFeed) : null;
      if (endpoint === null) continue;
      void query(feedClass, endpoint);
      return true;
    }
    return false;
  };
  const feed = () => {
    if (parking.size() === 0) return;
    parking.wake(monotonicMs());
    parking.release(mayFeed);
    while (queryNext());
  };
  const stop = () => {
    isStopped = true;
  };
  return { feed, stop };
}
