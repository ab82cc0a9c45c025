import type { AuditEvent } from './audit-event.js';
import { derivedId } from './id.js';
import type { ReplayJob } from './replay-job.js';

/** The audit entry of a job that no request created. */
export function replayJobCreated({ id, workspaceId, actor, filter, ...job }: ReplayJob): AuditEvent {
  const { dryRun, ratePerSecond, createdAt } = job;
  const createdAfter = filter.createdAfter.toISOString();
  const createdBefore = filter.createdBefore.toISOString();
  return {
    id: derivedId('audit', createdAt, `created ${id}`),
    workspaceId,
    action: 'webhook.replay_job_created',
    actor,
    target: { type: 'replay_job', id },
    metadata: { filter: { ...filter, createdAfter, createdBefore }, dryRun, ratePerSecond },
    createdAt,
    streak: null,
    source: null,
  };
}
