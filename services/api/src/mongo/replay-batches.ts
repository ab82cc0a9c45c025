import type { EndpointFields } from '@postrider/shared/domain/endpoint';
import type { DeliveryId } from '@postrider/shared/domain/id';
import type { ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Collections, Document, ReplayJobDocument } from '@postrider/shared/mongo/collections';
import { fromDeliveryDocument, toDeliveryDocument, toDocument } from '@postrider/shared/mongo/documents';
import { type OutboxTransactionParts, outboxTransaction } from '@postrider/shared/mongo/outbox-transaction';
import {
  claimSources,
  fromReplayJobDocument,
  updateOfReplayJob,
} from '@postrider/shared/mongo/replay-job-documents';
import type { ClientSession, Filter } from 'mongodb';
import type { MatchedDelivery, ReplayBatch, ReplayJobStore } from '../ports/replay-jobs.js';
import { nextSources } from './replay-sources.js';

interface BatchParts extends OutboxTransactionParts {
  readonly leased: (job: ReplayJob) => Filter<ReplayJobDocument>;
  readonly leaseUntil: () => Date;
}

/** Handles matched deliveries: their replays, audit entries and messages and the job's progress in one transaction. */
export function replayBatches(parts: BatchParts): ReplayJobStore['replay'] {
  const { collections } = parts.database;
  const transact = outboxTransaction(parts);
  return async (job, limit, decide) => {
    const { result } = await transact(async (session) => {
      const current = await collections.replayJobs.findOne(parts.leased(job), { session });
      if (current === null) return { result: null, records: [] };
      const now = fromReplayJobDocument(current);
      const ids = await nextSources(collections, now, { limit, session });
      const batch = decide(now, await readMatched(collections, ids, session));
      await writeBatch(parts, batch, session);
      return { result: batch, records: batch.records };
    });
    return result;
  };
}

type Activation = Pick<EndpointFields, 'id' | 'enabled' | 'deletedAt'>;

async function readMatched(
  { deliveries, endpoints }: Collections,
  ids: readonly DeliveryId[],
  session: ClientSession,
): Promise<MatchedDelivery[]> {
  const rows = await deliveries
    .find({ _id: { $in: [...ids] } }, { projection: { records: 0 }, session })
    .toArray();
  const replayed = await deliveries.distinct(
    'replayedFrom',
    { replayedFrom: { $in: [...ids] } },
    { session },
  );
  const owners = await endpoints
    .find<Document<Activation>>(
      { _id: { $in: [...new Set(rows.map(({ endpointId }) => endpointId))] } },
      { projection: { enabled: 1, deletedAt: 1 }, session },
    )
    .toArray();
  const rowOf = new Map(rows.map((row) => [row._id, row]));
  const ownerOf = new Map(owners.map((owner) => [owner._id, owner]));
  const isReplayed = new Set<string | null>(replayed);
  return ids.map((id) => {
    const row = rowOf.get(id);
    if (row === undefined) return { id, delivery: null, endpoint: null, isReplayed: false };
    const endpoint = ownerOf.get(row.endpointId) ?? null;
    return { id, delivery: fromDeliveryDocument(row), endpoint, isReplayed: isReplayed.has(id) };
  });
}

async function writeBatch(
  { database: { collections }, clock, leaseUntil }: BatchParts,
  { job, replays, audits }: ReplayBatch,
  session: ClientSession,
): Promise<void> {
  const claims = replays.map(({ id, replayedFrom }) => ({ sourceId: replayedFrom, replayId: id }));
  await claimSources(collections, claims, { now: clock.now(), session });
  if (replays.length > 0) {
    await collections.deliveries.insertMany(replays.map(toDeliveryDocument), { session });
    await collections.auditEvents.insertMany(audits.map(toDocument), { session });
  }
  const { $set } = updateOfReplayJob(job);
  const update = { $set: { ...$set, leaseUntil: leaseUntil() } };
  await collections.replayJobs.updateOne({ _id: job.id }, update, { session });
}
