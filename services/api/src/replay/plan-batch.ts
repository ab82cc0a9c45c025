import { newDelivery } from '@postrider/shared/domain/delivery';
import { type DeliveryId, derivedId } from '@postrider/shared/domain/id';
import { type ReplayJob, type SkipReason, skipReason } from '@postrider/shared/domain/replay-job';
import { deliveryRecord } from '@postrider/shared/outbox/record';
import type { DecideBatch, ReplayBatch, ReplayedDelivery } from '../ports/replay-jobs.js';

type Replay = ReplayBatch['replays'][number];

/** Maximum size of the payloads of one batch, in bytes: 16 of the largest ones. A batch has at least one replay. */
const MAX_BYTES = 4 * 1_024 * 1_024;

/**
 * Decides the outcome of matched deliveries, in order, until `most` of them are replayed. The replays of a job differ
 * from each other and from those of any other job, and a repetition after a crash derives the same ones.
 */
export function planBatch(most: number, now: Date): DecideBatch {
  return (job, matched) => {
    const sourceIds: DeliveryId[] = [];
    const skipped: Record<SkipReason, number> = { ...job.skipped };
    let bytes = 0;
    for (const source of matched) {
      const reason = skipReason(job.filter, source);
      if (reason !== null) {
        skipped[reason] += 1;
        continue;
      }
      bytes += source.payloadBytes;
      if (sourceIds.length >= most || (sourceIds.length > 0 && bytes > MAX_BYTES)) break;
      sourceIds.push(source.id);
    }
    return {
      sourceIds,
      plan(sources) {
        const replays = sources.map((source) => replayOf(job, source, now));
        return {
          job: { ...job, status: 'running', replayed: job.replayed + replays.length, skipped, nextAt: now },
          replays,
          audits: replays.map((replay) => auditOf(job, replay)),
          records: replays.map((replay) => deliveryRecord(replay)),
        };
      },
    };
  };
}

function replayOf(job: ReplayJob, source: ReplayedDelivery, now: Date): Replay {
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

function auditOf(
  { id: jobId, workspaceId, actor, source }: ReplayJob,
  { id, replayedFrom, createdAt }: Replay,
) {
  return {
    id: derivedId('audit', createdAt, `replayed ${id}`),
    workspaceId,
    action: 'webhook.delivery_replayed',
    actor,
    target: { type: 'delivery', id: replayedFrom },
    metadata: { replayDeliveryId: id, jobId },
    createdAt,
    streak: null,
    source,
  } as const;
}
