import type { ActiveJobState } from '../domain/replay-job.js';
import type { Collections, TaskRunDocument } from './collections.js';

/** The state of the system according to its rows. Each query is covered by indexes, however much is stored. */
export interface SystemStats {
  /** How late the longest overdue row is (0 if none is due), and how many endpoints have due rows. */
  overdue(now: Date): Promise<{ readonly lateMs: number; readonly endpoints: number }>;
  /** The number of waiting records (up to a limit), how late the oldest is, and the number of those set aside. */
  outbox(
    now: Date,
  ): Promise<{ readonly waiting: number; readonly overdueMs: number; readonly setAside: number }>;
  taskRuns(): Promise<readonly TaskRunDocument[]>;
  /** The active replay jobs by state, with the creation time of the oldest one of each. */
  replayJobs(now: Date): Promise<readonly ActiveJobs[]>;
}

export interface ActiveJobs {
  readonly state: ActiveJobState;
  readonly jobs: number;
  readonly oldest: Date;
}

/** Maximum number of records that are counted. */
const MAX_COUNTED = 100_000;
/** The database aborts queries that take longer, in milliseconds. */
const MAX_TIME_MS = 5_000;

export function createSystemStats({ deliveries, outbox, taskRuns, replayJobs }: Collections): SystemStats {
  const maxTimeMS = MAX_TIME_MS;
  return {
    /** One index seek per endpoint with work, however much work it has, as for `overdueEndpoints`. */
    async overdue(now) {
      const [found] = await deliveries
        .aggregate<{ oldest: Date; endpoints: number }>(
          [
            { $match: { endpointId: { $gte: '' }, dueAt: { $lte: now } } },
            { $sort: { endpointId: 1, dueAt: 1 } },
            { $group: { _id: '$endpointId', dueAt: { $first: '$dueAt' } } },
            { $group: { _id: null, oldest: { $min: '$dueAt' }, endpoints: { $sum: 1 } } },
          ],
          { hint: { endpointId: 1, dueAt: 1 }, maxTimeMS },
        )
        .toArray();
      if (found === undefined) return { lateMs: 0, endpoints: 0 };
      return { lateMs: Math.max(0, now.getTime() - found.oldest.getTime()), endpoints: found.endpoints };
    },
    async outbox(now) {
      const unpublished = { claimedUntil: { $exists: true } };
      const [first, waiting, setAside] = await Promise.all([
        outbox.findOne(unpublished, { sort: { dueAt: 1 }, projection: { dueAt: 1 }, maxTimeMS }),
        outbox.countDocuments(unpublished, {
          hint: { claimedUntil: 1 },
          limit: MAX_COUNTED,
          maxTimeMS,
        }),
        outbox.countDocuments({ setAsideAt: { $exists: true } }, { hint: { setAsideAt: 1 }, maxTimeMS }),
      ]);
      const due = (first?.dueAt ?? now).getTime();
      return { waiting, overdueMs: Math.max(0, now.getTime() - due), setAside };
    },
    taskRuns: () => taskRuns.find({}, { sort: { _id: 1 }, maxTimeMS }).toArray(),
    /** Reads the active jobs, of which a workspace has few. */
    replayJobs: (now) =>
      replayJobs
        .aggregate<ActiveJobs>(
          [
            { $match: { leaseUntil: { $exists: true } } },
            { $group: { _id: stateOfJob(now), jobs: { $sum: 1 }, oldest: { $min: '$createdAt' } } },
            { $project: { _id: 0, state: '$_id', jobs: 1, oldest: 1 } },
          ],
          { hint: { leaseUntil: 1 }, maxTimeMS },
        )
        .toArray(),
  };
}

/** The state of an active job by its lease: a job without a holder rests until its lease may be taken. */
function stateOfJob(now: Date) {
  const state = (name: ActiveJobState) => name;
  const hasNoHolder = { $eq: [{ $type: '$leaseHolder' }, 'missing'] };
  const leased = { $cond: [{ $eq: ['$status', 'paused'] }, state('paused'), state('running')] };
  const notWaiting = { $cond: [hasNoHolder, state('resting'), leased] };
  return { $cond: [{ $lte: ['$leaseUntil', now] }, state('waiting'), notWaiting] };
}
