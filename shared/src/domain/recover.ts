import { type AuditEvent, SYSTEM } from './audit-event.js';
import type { DeliverySummary } from './delivery.js';
import { disabledSince } from './disabled-period.js';
import { enableAgain } from './enable-again.js';
import { originOf, type SettledEndpoint } from './endpoint.js';
import { derivedId } from './id.js';
import type { Verdict } from './judge.js';
import type { Notification } from './notification.js';
import { recoversByProbes } from './recovery-probe.js';
import { heldReplayJob, type ReplayJob } from './replay-job.js';

/** An endpoint that answered its recovery probe, and everything that is recorded of that. */
export interface EndpointRecovery {
  readonly endpoint: SettledEndpoint;
  readonly audit: AuditEvent;
  readonly notification: Notification;
  /** Replays the deliveries held while it was disabled. */
  readonly replayJob: ReplayJob;
}

/** A recovery probe is not retried: whatever failed, it ends. */
export function finalVerdict(verdict: Verdict): Verdict {
  return verdict.kind === 'retryable' ? { kind: 'permanent', reason: verdict.reason } : verdict;
}

/** @returns null unless the recovery probe was answered with success and its endpoint still waits for that */
export function recover(
  probe: DeliverySummary,
  endpoint: SettledEndpoint | null,
  { verdict, at }: { readonly verdict: Verdict; readonly at: Date },
): EndpointRecovery | null {
  const { probeOf: since } = probe;
  if (since === undefined || endpoint === null || verdict.kind !== 'delivered') return null;
  if (!recoversByProbes(endpoint, since)) return null;
  const { id, workspaceId } = endpoint;
  const enabled = enableAgain(endpoint, at);
  const auditId = derivedId('audit', at, `recovered ${probe.id}`);
  const replayJob = heldReplayJob(
    { workspaceId, endpointId: id, since: disabledSince(endpoint), enabledAt: at },
    { id: derivedId('replayJob', at, auditId), actor: SYSTEM, traceId: probe.traceId },
  );
  return {
    endpoint: enabled.endpoint,
    audit: {
      id: auditId,
      workspaceId,
      action: 'webhook_endpoint.enabled',
      actor: SYSTEM,
      target: { type: 'endpoint', id },
      metadata: { origin: originOf(endpoint.url), deliveryId: probe.id },
      createdAt: at,
      streak: enabled.change,
      source: null,
    },
    notification: notificationOf(endpoint, { at, since, auditId, replayJob }),
    replayJob,
  };
}

function notificationOf(
  { id: endpointId, workspaceId, url }: SettledEndpoint,
  facts: { readonly at: Date; readonly since: Date; readonly auditId: string; readonly replayJob: ReplayJob },
): Notification {
  const { at, since, auditId, replayJob } = facts;
  return {
    id: derivedId('notification', at, auditId),
    workspaceId,
    kind: 'endpoint_recovered',
    message:
      `The webhook endpoint at ${originOf(url)} answered a test event and was enabled again. ` +
      'The deliveries that were held meanwhile are being sent.',
    endpointId,
    data: {
      disabledFor: Math.max(0, Math.round((at.getTime() - since.getTime()) / 1_000)),
      replayJobId: replayJob.id,
    },
    createdAt: at,
  };
}
