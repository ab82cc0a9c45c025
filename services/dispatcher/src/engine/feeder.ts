import type { Backlog } from '@postrider/shared/ports/backlog';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { EndpointScheduler } from './endpoint-scheduler.js';
import type { Job } from './job.js';
import type { ParkingLot } from './parking.js';
import type { Workload } from './workload.js';

/** Feeds parked endpoints from their rows and finds rows whose message was lost. */
export interface Feeder {
  /** Queries the rows of parked endpoints with few queued jobs. */
  feed(): void;
  /** Parks assigned endpoints whose rows are overdue by more than `graceMs`, which recovers lost messages. */
  reconcile(graceMs: number): Promise<void>;
}

export interface FeederParts {
  readonly workload: Pick<Workload, 'addFromRow' | 'jobsOf' | 'park'>;
  readonly scheduler: Pick<EndpointScheduler<Job>, 'queued'>;
  readonly parking: ParkingLot;
  readonly backlog: Backlog;
  readonly clock: Clock;
  readonly isAssigned: (endpointId: string) => boolean;
  /** Called after new jobs were queued. */
  readonly onFed: () => void;
  readonly later: (task: () => void, ms: number) => void;
  readonly log: Log;
}

/** An endpoint is fed when fewer jobs than this are queued for it. */
const FEED_BELOW = 16;
const ROWS_PER_QUERY = 50;
const MAX_QUERIES = 8;
/** How long after unparking an endpoint is checked once more, in milliseconds. */
const RECHECK_MS = 5_000;

export function createFeeder(parts: FeederParts): Feeder {
  const { workload, scheduler, parking, backlog, clock, isAssigned, onFed, later, log } = parts;
  let queries = 0;

  const addDueRows = async (endpointId: string): Promise<boolean> => {
    const rows = await backlog.due(endpointId, clock.now(), ROWS_PER_QUERY + workload.jobsOf(endpointId));
    if (!isAssigned(endpointId)) return false;
    const added = rows.filter((row) => workload.addFromRow(row));
    if (added.length > 0) onFed();
    return added.length > 0;
  };
  const query = async (endpointId: string) => {
    queries += 1;
    parking.queryBegins(endpointId);
    try {
      const foundNew = await addDueRows(endpointId);
      const isUnparked = parking.queryEnded(endpointId, { foundNew, now: clock.now().getTime() });
      if (isUnparked) later(() => void recheck(endpointId), RECHECK_MS);
    } catch (error) {
      log.warn(
        { event: 'feed.failed', endpointId, err: error },
        'the due rows of an endpoint could not be read',
      );
      parking.queryFailed(endpointId, clock.now().getTime());
    } finally {
      queries -= 1;
      feed();
    }
  };
  /** Finds rows whose due time was slightly in the future when the endpoint's last query ran. */
  const recheck = async (endpointId: string) => {
    if (parking.isParked(endpointId) || !isAssigned(endpointId)) return;
    const foundNew = await addDueRows(endpointId).catch(() => true);
    if (foundNew) parking.park(endpointId);
  };
  const feed = () => {
    if (parking.size() === 0) return;
    for (const endpointId of parking.readyToFeed(clock.now().getTime())) {
      if (queries >= MAX_QUERIES) return;
      if (scheduler.queued(endpointId) < FEED_BELOW) void query(endpointId);
    }
  };
  return {
    feed,
    async reconcile(graceMs) {
      const overdue = await backlog.overdueEndpoints(new Date(clock.now().getTime() - graceMs));
      const lost = overdue.filter((endpointId) => isAssigned(endpointId) && !parking.isParked(endpointId));
      for (const endpointId of lost) workload.park(endpointId);
      if (lost.length > 0)
        log.info({ event: 'reconciled', endpoints: lost.length }, 'overdue rows are fed directly');
      feed();
    },
  };
}
