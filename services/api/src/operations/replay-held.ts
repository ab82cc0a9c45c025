import { disabledSince } from '@postrider/shared/domain/disabled-period';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { heldReplayJob, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { UpdateWebhook } from '../contract/webhook.js';
import { Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { showReplayJob } from '../views/replay-job.js';
import type { AuditContext } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import type { EnsureJob } from './within-active-jobs.js';

/** @throws Refusal `InvalidRequest` unless the endpoint is disabled and to be enabled */
export function refuseReplayHeld({ replayHeld, enabled }: UpdateWebhook, before: Pick<Endpoint, 'enabled'>) {
  if (replayHeld !== true) return;
  if (enabled !== true) throw refusal('needs enabled: true');
  if (before.enabled) throw refusal('applies only to a disabled endpoint; this one is enabled');
}

function refusal(message: string): Refusal {
  return Refusal.invalid({ path: 'replayHeld', message });
}

interface HeldReplay {
  readonly tx: Transaction;
  /** The endpoint while it was disabled. */
  readonly before: Endpoint;
  readonly at: Date;
  readonly jobId: ReplayJob['id'];
  /** Does nothing for jobs of the system, which do not count among the active ones. */
  readonly ensureJob: EnsureJob;
}

/** Stores the job that replays the deliveries held while an endpoint was disabled. @throws Refusal `TooManyReplayJobs` */
export async function startHeldReplay(
  context: AuditContext,
  newId: Deps['newId'],
  { tx, before, at, jobId, ensureJob }: HeldReplay,
) {
  const { workspace, actor, source, traceId } = context;
  await ensureJob(tx);
  const job = heldReplayJob(
    { workspaceId: workspace.id, endpointId: before.id, since: disabledSince(before), enabledAt: at },
    { id: jobId, actor, source, traceId },
  );
  await tx.replayJobs.insert(job);
  const { filter, dryRun, ratePerSecond } = showReplayJob(job);
  const audit = auditEntry(context, newId, {
    action: 'webhook.replay_job_created',
    target: { type: 'replay_job', id: job.id },
    metadata: { filter, dryRun, ratePerSecond },
    at,
  });
  return { replayJobId: job.id, audit };
}
