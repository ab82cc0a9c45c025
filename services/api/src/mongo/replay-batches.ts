import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type { ReplayJobDocument } from '@postrider/shared/mongo/collections';
import { toDocument, toNewDeliveryDocument } from '@postrider/shared/mongo/documents';
import { type OutboxTransactionParts, outboxTransaction } from '@postrider/shared/mongo/outbox-transaction';
import {
  claimSources,
  fromReplayJobDocument,
  updateOfReplayJob,
} from '@postrider/shared/mongo/replay-job-documents';
import type { CrashBefore } from '@postrider/shared/runtime/failpoints';
import type { ClientSession, Filter } from 'mongodb';
import type { ReplayBatch, ReplayJobStore } from '../ports/replay-jobs.js';
import { readMatched, readReplayed } from './replay-source-rows.js';
import { nextSources } from './replay-sources.js';

interface BatchParts extends OutboxTransactionParts {
  readonly leased: (job: ReplayJob) => Filter<ReplayJobDocument>;
  readonly leaseUntil: () => Date;
  readonly crashBefore: CrashBefore;
}

/** Handles matched deliveries: their replays, audit entries and messages and the job's progress in one transaction. */
export function replayBatches(parts: BatchParts): ReplayJobStore['replay'] {
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);
  const saveProgress = parts.crashBefore('replay.batch', async (job: ReplayJob, session: ClientSession) => {
    const { $set } = updateOfReplayJob(job);
    const update = { $set: { ...$set, leaseUntil: parts.leaseUntil() } };
    await collections.replayJobs.updateOne({ _id: job.id }, update, { session });
  });
  /**
   * Locks the job: a claim waits for the end of the transaction and finds the lease extended, however long the batch takes. An update
   * that changes nothing would lock nothing.
   */
  const lock = (job: ReplayJob, session: ClientSession) => {
    const later = { $max: [parts.leaseUntil(), { $add: ['$leaseUntil', 1] }] };
    const update = [{ $set: { leaseUntil: later } }];
    return collections.replayJobs.findOneAndUpdate(parts.leased(job), update, {
      session,
      returnDocument: 'after',
    });
  };
  return async (job, limit, decide) => {
    const { result } = await transact(async (session) => {
      const current = await lock(job, session);
      if (current === null) return { result: null, records: [] };
      const now = fromReplayJobDocument(current);
      const ids = await nextSources(collections, now, { limit, session });
      const { sourceIds, plan } = decide(now, await readMatched(collections, ids, session));
      const batch = plan(await readReplayed(collections, sourceIds, session));
      await insertBatch(parts, batch, session);
      await saveProgress(batch.job, session);
      return { result: batch, records: batch.records };
    });
    return result;
  };
}

async function insertBatch(
  { database: { collections }, clock }: BatchParts,
  { replays, audits }: ReplayBatch,
  session: ClientSession,
): Promise<void> {
  const claims = replays.map(({ id, replayedFrom }) => ({ sourceId: replayedFrom, replayId: id }));
  await claimSources(collections, claims, { now: clock.now(), session });
  if (replays.length > 0) {
    await collections.deliveries.insertMany(replays.map(toNewDeliveryDocument), { session });
    await collections.auditEvents.insertMany(audits.map(toDocument), { session });
  }
}
