import { disabledSince } from '@postrider/shared/domain/disabled-period';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { heldReplayJob, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { UpdateWebhook } from '../contract/webhook.js';
import { type Mistake, Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { showReplayJob } from '../views/replay-job.js';
import type { AuditContext } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import type { EnsureJob } from './within-active-jobs.js';

/** The mistake in an update that requests the replay without enabling the endpoint. */
export function replayHeldMistakes({
  replayHeld,
  enabled,
}: {
  readonly replayHeld?: unknown;
  readonly enabled?: unknown;
}): readonly Mistake[] {
  if (replayHeld !== true || enabled === true) return [];
  return [{ path: 'replayHeld', message: 'needs enabled: true' }];
}

/** @throws Refusal `InvalidRequest` if the replay is requested for an enabled endpoint */
export function refuseReplayHeld({ replayHeld }: UpdateWebhook, before: Pick<Endpoint, 'enabled'>) {
  if (replayHeld !== true || !before.enabled) return;
  const message = 'applies only to a disabled endpoint; this one is enabled';
  throw Refusal.invalid({ path: 'replayHeld', message });
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
