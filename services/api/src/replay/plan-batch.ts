import { type Delivery, newDelivery } from '@postrider/shared/domain/delivery';
import { derivedId } from '@postrider/shared/domain/id';
import { type ReplayJob, type SkipReason, skipReason } from '@postrider/shared/domain/replay-job';
import { deliveryRecord } from '@postrider/shared/outbox/record';
import type { DecideBatch, ReplayBatch } from '../ports/replay-jobs.js';

type Replay = ReplayBatch['replays'][number];

/**
 * Decides what becomes of matched deliveries, in order, until `most` of them are replayed. The replays of a job differ
 * from each other and from those of any other job, and a repetition after a crash derives the same ones.
 */
export function planBatch(most: number, now: Date): DecideBatch {
  return (job, matched) => {
    const replays: Replay[] = [];
    const skipped: Record<SkipReason, number> = { ...job.skipped };
    for (const source of matched) {
      const reason = skipReason(job.filter, source);
      if (reason === null && replays.length >= most) break;
      if (reason === null && source.delivery !== null) replays.push(replayOf(job, source.delivery, now));
      else if (reason !== null) skipped[reason] += 1;
    }
    return {
      job: { ...job, status: 'running', replayed: job.replayed + replays.length, skipped, nextAt: now },
      replays,
      audits: replays.map((replay) => auditOf(job, replay)),
      records: replays.map((replay) => deliveryRecord(replay)),
    };
  };
}

function replayOf(job: ReplayJob, source: Delivery, now: Date): Replay {
  const { workspaceId, endpointId, eventType, payload } = source;
  const replay = newDelivery({
    id: derivedId('delivery', job.nextAt, `${job.id} ${source.id}`),
    workspaceId,
    endpointId,
    eventType,
    payload,
    traceId: job.traceId,
    createdAt: job.nextAt,
    dueAt: now,
    replayedFrom: source.id,
    class: 'replay',
  });
  return { ...replay, replayedFrom: source.id };
}

function auditOf({ id: jobId, workspaceId, actor }: ReplayJob, { id, replayedFrom, createdAt }: Replay) {
  return {
    id: derivedId('audit', createdAt, `replayed ${id}`),
    workspaceId,
    action: 'webhook.delivery_replayed',
    actor,
    target: { type: 'delivery', id: replayedFrom },
    metadata: { replayDeliveryId: id, jobId },
    createdAt,
    streak: null,
    source: null,
  } as const;
}
