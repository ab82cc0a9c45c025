import { REQUESTING_ACTORS, SYSTEM } from '@postrider/shared/domain/audit-event';
import { asId, type DeliveryId, type ReplayJobId, type WorkspaceId } from '@postrider/shared/domain/id';
import {
  ACTIVE_JOB_STATUSES,
  countSkipped,
  endJob,
  type JobKind,
  kindOfJob,
  matchesFilter,
  type ReplayJob,
} from '@postrider/shared/domain/replay-job';
import { abortingIdleTransactions } from '@postrider/shared/mongo/abort-idle-transactions';
import { BY_ACTOR_AND_LEASE, type ReplayJobDocument } from '@postrider/shared/mongo/collections';
import type { OutboxTransactionParts } from '@postrider/shared/mongo/outbox-transaction';
import { fromReplayJobDocument, updateOfReplayJob } from '@postrider/shared/mongo/replay-job-documents';
import { inTransaction } from '@postrider/shared/mongo/transaction';
import type { CrashBefore } from '@postrider/shared/runtime/failpoints';
import { whileRenewing } from '@postrider/shared/runtime/while-renewing';
import type { ClientSession, Filter, MatchKeysAndValues } from 'mongodb';
import type { ReplayJobStore } from '../ports/replay-jobs.js';
import { replayBatches } from './replay-batches.js';
import { matchingRows } from './replay-matches.js';
import { readMatched, unsentOf, unsentReplaysOf } from './replay-source-rows.js';
import { addSources, forgetSources, lastSources, readKnown } from './replay-sources.js';

interface ReplayJobStoreParts extends OutboxTransactionParts {
  /** Identifies this process, which runs a job only once at a time. It stops when another process takes the job's lease. */
  readonly holder: string;
  /** How long the lease of a crashed process lasts, in milliseconds. */
  readonly leaseMs: number;
  /** Steps within transactions, which no port separates. */
  readonly crashBefore: CrashBefore;
}

/** Rows that are read in one step of counting. */
const SLICE = 1_000;
/** How often a lease is extended during its time, in steps that may take longer. */
const RENEWALS = 3;

/** With the other index a process would read all waiting jobs of the system, to find that no requested one waits. */
const LONGEST_WAITING_FIRST = { sort: { leaseUntil: 1 }, hint: BY_ACTOR_AND_LEASE } as const;
/** By the values of the index: the database merges them in the order of the lease, and sorts nothing. */
const OF_KIND = {
  requested: { 'actor.type': { $in: [...REQUESTING_ACTORS] } },
  system: { 'actor.type': SYSTEM.type },
} as const satisfies Record<JobKind, Filter<ReplayJobDocument>>;
/** The kinds in the order in which their jobs are taken. */
const IN_ORDER = {
  requested: ['requested', 'system'],
  system: ['system', 'requested'],
} as const satisfies Record<JobKind, readonly JobKind[]>;

export function createReplayJobStore(parts: ReplayJobStoreParts): ReplayJobStore {
  const { database, clock, holder, leaseMs, crashBefore } = parts;
  const { collections, client } = database;
  const { replayJobs, deliveries } = collections;
  const leaseUntil = () => new Date(clock.now().getTime() + leaseMs);
  const leased = ({ id }: ReplayJob): Filter<ReplayJobDocument> => ({
    _id: id,
    leaseHolder: holder,
    status: { $in: [...ACTIVE_JOB_STATUSES] },
  });
  /** Active jobs without a lease: a filter for each kind, in order. */
  const waiting = (
    running: readonly ReplayJobId[],
    exceptWorkspaces: readonly WorkspaceId[],
    first: JobKind,
  ): readonly Filter<ReplayJobDocument>[] =>
    IN_ORDER[first].map((kind) => ({
      ...OF_KIND[kind],
      leaseUntil: { $lte: clock.now() },
      _id: { $nin: [...running] },
      workspaceId: { $nin: [...exceptWorkspaces] },
    }));
  const claimFirst = (filter: Filter<ReplayJobDocument>) => {
    const now = clock.now();
    const lease = { leaseHolder: holder, leaseUntil: leaseUntil(), nextAt: now };
    const claiming = replayJobs.findOneAndUpdate(
      filter,
      [{ $set: { ...lease, startedAt: { $ifNull: ['$startedAt', now] } } }],
      { ...LONGEST_WAITING_FIRST, returnDocument: 'after' },
    );
    // A process that crashed within a step left the job locked.
    return abortingIdleTransactions(client, claiming);
  };
  const change = async (
    job: ReplayJob,
    $set: MatchKeysAndValues<ReplayJobDocument>,
    session?: ClientSession,
  ) => {
    const options = { returnDocument: 'after', ...(session && { session }) } as const;
    const update = { $set: { ...$set, leaseUntil: leaseUntil() } };
    const found = await replayJobs.findOneAndUpdate(leased(job), update, options);
    return found && fromReplayJobDocument(found);
  };
  /** Extends the lease while something runs that may take longer. Another process would only begin the same again. */
  const leasing =
    <Rest extends readonly unknown[], Result>(run: (job: ReplayJob, ...rest: Rest) => Promise<Result>) =>
    (job: ReplayJob, ...rest: Rest) =>
      whileRenewing(
        () => change(job, {}),
        leaseMs / RENEWALS,
        () => run(job, ...rest),
      );
  const end = crashBefore('replay.end', async (job: ReplayJob, status: 'succeeded' | 'failed') => {
    const ended = endJob(job, status, clock.now());
    const { matchedCount } = await replayJobs.updateOne(leased(job), updateOfReplayJob(ended));
    return matchedCount === 0 ? null : ended;
  });
  const addCounted = crashBefore('replay.count', addSources);
  /** Stores matched rows and the progress together. */
  const addMatched = (job: ReplayJob, ids: readonly DeliveryId[], progress: Partial<ReplayJob>) =>
    inTransaction(client, async (session) => {
      const matched = job.matched + ids.length;
      const changed = await change(job, { ...progress, matched, nextAt: clock.now() }, session);
      if (changed !== null && !job.dryRun && ids.length > 0) await addCounted(collections, job, ids, session);
      return changed;
    });

  return {
    async claim(running, exceptWorkspaces = [], first = 'requested') {
      for (const filter of waiting(running, exceptWorkspaces, first)) {
        const found = await claimFirst(filter);
        if (found !== null) return fromReplayJobDocument(found);
      }
      return null;
    },
    async nextWaiting(running, exceptWorkspaces = [], first = 'requested') {
      const projection = { workspaceId: 1, 'actor.type': 1 } as const;
      for (const filter of waiting(running, exceptWorkspaces, first)) {
        const found = await replayJobs.findOne(filter, { ...LONGEST_WAITING_FIRST, projection });
        if (found !== null)
          return { workspaceId: asId('workspace', found.workspaceId), kind: kindOfJob(found) };
      }
      return null;
    },
    async reload(job) {
      const current = await change(job, {});
      if (current !== null) return current;
      const ended = await replayJobs.findOne({ _id: job.id, status: { $nin: [...ACTIVE_JOB_STATUSES] } });
      return ended && fromReplayJobDocument(ended);
    },
    renew: (job, status) => change(job, { status, nextAt: clock.now() }),
    count: leasing(async (job) => {
      const rows = await matchingRows(deliveries, job, { after: job.countedTo, limit: SLICE });
      const ids = rows.filter((row) => matchesFilter(job.filter, row)).map(({ id }) => id);
      const isLast = rows.length < SLICE;
      const skipped = job.dryRun && countSkipped(job, await readMatched(collections, ids));
      const counted = await addMatched(job, ids, {
        countedTo: rows.at(-1)?.id ?? job.countedTo,
        status: isLast && !job.dryRun ? 'running' : 'counting',
        ...(skipped && { skipped }),
      });
      return isLast && job.dryRun && counted !== null ? end(counted, 'succeeded') : counted;
    }),
    countArrivals: leasing(async (job) => {
      const known = await readKnown(collections, job);
      let current: ReplayJob | null = job;
      for (let after: string | null = null; current !== null; ) {
        const rows = await matchingRows(deliveries, job, { after, limit: SLICE });
        const ids = await known.without(rows.map(({ id }) => id));
        // Each slice notices that the job has ended, or that another process has its lease.
        current = ids.length > 0 ? await addMatched(current, ids, {}) : await change(current, {});
        if (rows.length < SLICE) break;
        after = rows.at(-1)?.id ?? null;
      }
      return current;
    }),
    // Not within `leasing`: a renewal would wait for the lock of the transaction, which extends the lease itself.
    replay: replayBatches({ ...parts, leased, leaseUntil }),
    end,
    async release(job) {
      const released = await replayJobs.updateOne(leased(job), { $set: { leaseUntil: clock.now() } });
      return released.matchedCount > 0;
    },
    async rest(job, until) {
      await replayJobs.updateOne(leased(job), { $set: { leaseUntil: until }, $unset: { leaseHolder: 1 } });
    },
    lastUnsent: leasing(async (job) =>
      unsentReplaysOf(collections, await lastSources(collections, job), job.createdAt),
    ),
    unsentOf: leasing((_, ids: readonly DeliveryId[]) => unsentOf(collections, ids)),
    forget: (jobId) => forgetSources(collections, jobId),
  };
}
