import type { Backlog } from '@postrider/shared/ports/backlog';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { Job } from './job.js';
import type { JobBudget } from './job-budget.js';
import type { ParkingLot } from './parking.js';
import type { EndpointScheduler } from './scheduler/endpoint-scheduler.js';
import type { Owner } from './scheduler/lanes.js';
import type { Standing } from './scheduler/standing.js';
import { throttleLog } from './throttle-log.js';
import type { Workload } from './workload.js';

/** Feeds parked endpoints from their rows. */
export interface Feeder {
  /** Queries the rows of parked endpoints with few queued jobs, while there is memory for them. */
  feed(): void;
  /** Begins no more queries, and adds no rows of those in progress. */
  stop(): void;
}

export interface FeederParts {
  readonly workload: Pick<Workload, 'addFromRow'>;
  readonly scheduler: Pick<EndpointScheduler<Job>, 'queued' | 'mostQueued' | 'standing'>;
  readonly budget: Pick<JobBudget, 'free' | 'hasRoomForUnproven' | 'jobsOf'>;
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

const MAX_QUERIES = 8;
/** Rows of an endpoint that answers in one query: few if many are parked, many if few are. */
const ROWS = { least: 16, most: 256 };
/** Rows of an endpoint that may have one POST in flight. */
const ROWS_ON_PROBATION = 2;
const ROWS_WHILE_SILENT = 1;
/** How long after unparking an endpoint is checked once more, in milliseconds. */
const RECHECK_MS = 5_000;
/** Each parked endpoint repeats its query while the database is unavailable: that is logged once in this time. */
const LOG_EVERY_MS = 60_000;

/** @param free jobs that may be added, @param ready endpoints that wait for their query */
export function rowsToFeed(standing: Standing, { free, ready }: { free: number; ready: number }): number {
  switch (standing) {
    case 'silent':
      return ROWS_WHILE_SILENT;
    case 'new':
    case 'suspect':
      return ROWS_ON_PROBATION;
    case 'proven':
    case 'slow':
      return Math.min(Math.max(Math.floor(free / 2 / (ready + 1)), ROWS.least), ROWS.most);
  }
}

export function createFeeder(parts: FeederParts): Feeder {
  const { workload, scheduler, budget, parking, backlog, clock, isAssigned, monotonicMs } = parts;
  const { onFed, later, log } = parts;
  const mayLog = throttleLog(LOG_EVERY_MS);
  let queries = 0;
  let isStopped = false;

  const addDueRows = async (endpointId: string, rows: number) => {
    const limit = rows + budget.jobsOf(endpointId);
    const due = await backlog.due(endpointId, clock.now(), limit);
    const workspaceId = due[0]?.workspaceId ?? null;
    if (isStopped || !isAssigned(endpointId)) return { isBehind: false, workspaceId };
    const results = due.map((row) => workload.addFromRow(row));
    if (results.includes('added')) onFed();
    return { isBehind: due.length === limit || results.includes('no room'), workspaceId };
  };
  /** During a stop the connection to the database may be closed before a query has ended. */
  const logFailure = (endpointId: string, err: unknown) => {
    if (isStopped || !mayLog('feed.failed', clock.now())) return;
    log.warn(
      { event: 'feed.failed', endpointId, parked: parking.size(), err },
      'the due rows of parked endpoints could not be read; each is tried again after a second',
    );
  };
  const query = async ({ endpointId, workspaceId }: Owner) => {
    queries += 1;
    try {
      const wanted = rowsToFeed(scheduler.standing(endpointId), {
        free: budget.free(),
        ready: parking.ready(),
      });
      const rows = Math.min(wanted, scheduler.mostQueued(endpointId));
      const found = await addDueRows(endpointId, rows);
      const isUnparked = parking.queryEnded(endpointId, {
        ...found,
        now: monotonicMs(),
        refillBelow: Math.ceil(rows / 4),
      });
      parking.drained(endpointId, scheduler.queued(endpointId));
      if (isUnparked) later(() => void recheck({ endpointId, workspaceId }), RECHECK_MS);
    } catch (error) {
      logFailure(endpointId, error);
      parking.queryFailed(endpointId, monotonicMs());
    } finally {
      queries -= 1;
      feed();
    }
  };
  /** Finds rows whose due time was slightly in the future when the endpoint's last query ran. */
  const recheck = async (owner: Owner) => {
    if (isStopped || parking.isParked(owner.endpointId) || !isAssigned(owner.endpointId)) return;
    const found = await addDueRows(owner.endpointId, ROWS_ON_PROBATION).catch(() => ({ isBehind: true }));
    if (found.isBehind) parking.park(owner);
  };
  const next = (): Owner | null => {
    if (isStopped || queries >= MAX_QUERIES || budget.free() < ROWS.least) return null;
    return parking.next('proven') ?? (budget.hasRoomForUnproven() ? parking.next('unproven') : null);
  };
  const feed = () => {
    if (parking.size() === 0) return;
    parking.wake(monotonicMs());
    for (let owner = next(); owner !== null; owner = next()) void query(owner);
  };
  const stop = () => {
    isStopped = true;
  };
  return { feed, stop };
}
